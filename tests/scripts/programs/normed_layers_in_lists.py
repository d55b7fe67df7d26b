# also: nnx, linen
"""Layers under weight_norm and spectral_norm in lists that a function fills, and under the norms of `parametrizations`."""

import torch
from torch import nn
from torch.nn.utils import spectral_norm, weight_norm
from torch.nn.utils import parametrizations


def init_weights(m, mean=0.0, std=0.01):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        m.weight.data.normal_(mean, std)
        m.bias.data.fill_(0.2)


class Res(nn.Module):
    def __init__(self, channels=4, dilation=(1, 3)):
        super().__init__()
        self.convs1 = nn.ModuleList([
            weight_norm(nn.Conv1d(channels, channels, 3, 1, dilation=dilation[0], padding=1)),
            weight_norm(nn.Conv1d(channels, channels, 3, 1, dilation=dilation[1], padding=3)),
        ])
        self.convs1.apply(init_weights)
        self.ups = nn.ModuleList()
        for i in range(2):
            self.ups.append(weight_norm(nn.ConvTranspose1d(channels, channels, 4, 2, padding=1)))
        self.ups.apply(init_weights)

    def forward(self, x):
        for c in self.convs1:
            x = c(x) + x
        for c in self.ups:
            x = c(x)
        return x


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = parametrizations.weight_norm(nn.Linear(4, 3), dim=1)
        self.b = parametrizations.spectral_norm(nn.Linear(3, 3), n_power_iterations=2)
        self.c = weight_norm(nn.Linear(3, 3), dim=None)
        self.d = spectral_norm(nn.ConvTranspose1d(3, 2, 3))

    def forward(self, x):
        x = self.c(self.b(self.a(x)))
        return self.d(x[:, :, None])


def run(model, x):
    print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
    state = {name: torch.cos(torch.arange(float(p.numel()))).reshape(p.shape) for name, p in model.state_dict().items()}
    print(list(state))
    model.load_state_dict(state)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f}")
    model.eval()
    print(round(model(x).sum().item(), 4))


res = Res()
print([p.sum().item() for name, p in res.named_parameters() if "bias" in name])
run(res, torch.sin(torch.arange(40.0)).reshape(2, 4, 5))
run(Other(), torch.sin(torch.arange(12.0)).reshape(3, 4))
