# also: nnx, linen
import torch
from torch import nn


def conv_bn(inp, oup):
    return nn.Sequential(nn.Linear(inp, oup), nn.ReLU6())


class Block(nn.Module):
    def __init__(self, inp, oup):
        super().__init__()
        self.conv = nn.Sequential(nn.Linear(inp, oup), nn.ReLU6())

    def forward(self, x):
        return self.conv(x)


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.last = 6
        self.features = [conv_bn(3, width)]
        for i, (c, n) in enumerate([(4, 1), (5, 2)]):
            for j in range(n):
                self.features.append(Block(width, c))
                width = c
        self.features.append(conv_bn(width, self.last))
        self.features = nn.Sequential(*self.features)
        self.classifier = nn.Sequential(nn.Dropout(0.0), nn.Linear(self.last, 2))
        self._initialize_weights()

    def forward(self, x):
        return self.classifier(self.features(x))

    def _initialize_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                n = m.weight.size(1)
                m.weight.data.normal_(0, 0.01)
                m.weight.data.fill_(1.0 / n)
                m.bias.data.zero_()


net = Net()
x = torch.linspace(-1, 1, 6).reshape(2, 3)
print(net(x).sum().item(), len(net.features))
print(sum(p.numel() for p in net.parameters()), list(net.state_dict())[:3])
