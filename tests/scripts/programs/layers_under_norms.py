# also: nnx, linen
"""Convolutions under weight_norm and spectral_norm: given first values, trained, evaluated, saved, and put into lists."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import spectral_norm, weight_norm


class Chomp(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[:, :, : -self.size].contiguous()


class Temporal(nn.Module):
    def __init__(self, inputs, outputs, kernel, dilation, padding):
        super().__init__()
        self.conv1 = weight_norm(nn.Conv1d(inputs, outputs, kernel, padding=padding, dilation=dilation))
        self.chomp = Chomp(padding)
        self.relu = nn.ReLU()
        self.down = nn.Conv1d(inputs, outputs, 1) if inputs != outputs else None
        self.init_weights()

    def init_weights(self):
        self.conv1.weight.data.normal_(0, 0.01)
        if self.down is not None:
            self.down.weight.data.fill_(0.1)

    def forward(self, x):
        out = self.relu(self.chomp(self.conv1(x)))
        return F.relu(out + (x if self.down is None else self.down(x)))


class Looped(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = spectral_norm(nn.Linear(4, 4))
        self.conv = weight_norm(nn.Conv1d(2, 4, 1))
        for m in self.modules():
            if isinstance(m, (nn.Conv1d, nn.Linear)):
                nn.init.constant_(m.bias, 0.3)
                nn.init.xavier_normal_(m.weight)
        for name, m in self.named_children():
            if m.__class__.__name__.startswith("Conv"):
                m.bias.data.mul_(2)

    def forward(self, x):
        return self.fc(self.conv(x).mean(2))


def init(m):
    if isinstance(m, (nn.Conv1d, nn.Linear)):
        m.bias.data.fill_(0.1)


class Critic(nn.Module):
    def __init__(self, use_spectral_norm=False):
        super().__init__()
        norm = spectral_norm if use_spectral_norm else weight_norm
        self.blocks = nn.ModuleList([Temporal(2, 4, 3, 1, 2), Temporal(4, 4, 3, 2, 4)])
        self.convs = nn.ModuleList([norm(nn.Conv1d(4, 4, 3, padding=1)) for _ in range(2)])
        head = nn.Linear(4, 1)
        self.head = torch.nn.utils.weight_norm(head, name="weight")
        self.last = nn.Sequential(spectral_norm(nn.Linear(4, 3)), nn.Tanh(), nn.Linear(3, 1))
        self.apply(init)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        for conv in self.convs:
            x = F.leaky_relu(conv(x), 0.2)
        x = x.mean(2)
        return self.head(x) + self.last(x)


x = torch.sin(torch.arange(30.0)).reshape(3, 2, 5)
for use in (False, True):
    model = Critic(use)
    print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
    print([name for name in model.state_dict() if "weight" in name])
    print([p.sum().item() for name, p in model.named_parameters() if "bias" in name and ("convs" in name or "last" in name)])
    state = {name: torch.cos(torch.arange(float(p.numel()))).reshape(p.shape) for name, p in model.state_dict().items()}
    model.load_state_dict(state)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(3):
        optimizer.zero_grad()
        loss = (model(x) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.5f}")
    model.eval()
    print([round(y, 4) for y in model(x).flatten().tolist()])
looped = Looped()
print(looped.conv.bias.tolist(), looped.fc.bias.tolist(), looped.conv.in_channels, looped(x).shape)
