from torch import nn


class Block(nn.Module):
    def __init__(self, channels, act=nn.GELU):
        super().__init__()
        self.conv = nn.Conv1d(channels, channels, 1)
        self.act = act()

    def forward(self, x):
        return self.act(self.conv(x))


def make(channels):
    return nn.Sequential(Block(channels), nn.AvgPool1d(2), Block(channels, nn.Tanh), nn.Dropout(0.1), nn.Flatten())
