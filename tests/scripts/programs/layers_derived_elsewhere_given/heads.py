from torch import nn


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.Tanh())
        self.linear = nn.Linear(width, 2)
        self.reset()

    def reset(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.1)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.linear(self.body(x))
