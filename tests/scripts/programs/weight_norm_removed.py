# also: nnx, linen
"""A vocoder whose layers have their weight in two parts for training: to be run, they get one weight again."""

import torch
import torch.nn as nn
from torch.nn.utils import remove_weight_norm, weight_norm


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.convs = nn.ModuleList(
            [weight_norm(nn.Conv1d(channels, channels, 3, padding=d, dilation=d)) for d in (1, 2)]
        )

    def forward(self, x):
        for conv in self.convs:
            x = x + conv(nn.functional.leaky_relu(x, 0.1))
        return x

    def remove_weight_norm(self):
        for conv in self.convs:
            remove_weight_norm(conv)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = weight_norm(nn.Conv1d(2, 4, 3, padding=1))
        self.blocks = nn.ModuleList([Block(4), Block(4)])
        self.last = weight_norm(nn.ConvTranspose1d(4, 1, 4, 2))

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return torch.tanh(self.last(x))

    def remove_weight_norm(self):
        print("Removing weight norm...")
        remove_weight_norm(self.first)
        for block in self.blocks:
            block.remove_weight_norm()
        torch.nn.utils.remove_weight_norm(self.last)


generator = Generator()
state = generator.state_dict()
generator.load_state_dict(
    {name: torch.cos(torch.arange(float(value.numel()))).reshape(value.shape) for name, value in state.items()}
)
x = torch.sin(torch.arange(20.0)).reshape(1, 2, 10)
before = generator(x)
generator.remove_weight_norm()
generator.eval()
after = generator(x)
print(round(before.sum().item(), 4), round(after.sum().item(), 4))
