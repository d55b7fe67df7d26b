# also: linen
"""Buffers of which it cannot be told what they hold are tensors, too: they are not trained, and saved unless they say no."""

import torch
import torch.nn as nn


class Windowed(nn.Module):
    def __init__(self, make, scale=None):
        super().__init__()
        self.body = nn.Linear(4, 4)
        nn.init.constant_(self.body.weight, 0.5)
        nn.init.constant_(self.body.bias, 0.5)
        self.register_buffer("window", make(4))
        self.register_buffer("scale", scale)
        self.register_buffer("hidden", make(4), False)
        self.plain = make(4)

    def forward(self, x):
        y = self.body(x) * self.window * self.hidden * self.plain
        return y if self.scale is None else y * self.scale


for model in (Windowed(torch.hann_window), Windowed(torch.hamming_window, torch.tensor(2.0))):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (model(torch.ones(2, 4)) ** 2).sum()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))
    print(sorted(model.state_dict()), round(model.window.sum().item(), 5), len(list(model.parameters())))
