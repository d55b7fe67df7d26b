from torch import nn


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Linear(2, 2)
        nn.init.constant_(self.conv1.weight, 0.1)
        nn.init.constant_(self.conv1.bias, 0.2)
        self.model = nn.Sequential(nn.ReLU(), self.conv1)

    def forward(self, x):
        self.attn = x.softmax(-1)
        return self.model(self.attn)
