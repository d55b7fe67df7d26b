"""Modules keep nothing of a tensor but what they compute of it: it may be changed behind."""
# also: nnx, linen

import torch
import torch.nn as nn


class Additive(nn.Module):
    def __init__(self, mask, create):
        super().__init__()
        mask = torch.as_tensor(mask)
        if mask.dim() != 1:
            raise ValueError("Mask must be a 1-dim tensor.")
        index = torch.arange(len(mask))
        self.register_buffer("keep", index.masked_select(mask <= 0))
        self.register_buffer("change", index.masked_select(mask > 0))
        self.net = create(len(self.keep), len(self.change))

    def forward(self, x):
        return torch.cat([x[:, self.keep], x[:, self.change] + self.net(x[:, self.keep])], 1)


class Affine(Additive):
    def forward(self, x):
        return 2 * super().forward(x)


class Flow(nn.Module):
    def __init__(self, features, n, additive):
        super().__init__()
        if additive:
            constructor = Additive
        else:
            constructor = Affine
        mask = torch.ones(features)
        mask[::2] = -1

        def create(a, b):
            net = nn.Linear(a, b)
            nn.init.constant_(net.weight, 0.1)
            nn.init.constant_(net.bias, 0.2)
            return net

        layers = []
        for _ in range(n):
            layers.append(constructor(mask=mask, create=create))
            mask *= -1
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


x = torch.arange(10.0).view(2, 5)
print(Flow(5, 3, True)(x).tolist())
print(Flow(5, 2, False)(x).tolist())
