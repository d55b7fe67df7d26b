# also: nnx, linen
"""Modules whose parts have names that stand in a list, or are computed for one."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.fc = nn.Linear(i, o)
        self.bn = nn.BatchNorm1d(o)

    def forward(self, x):
        return torch.tanh(self.bn(self.fc(x)))


class Net(nn.Module):
    def __init__(self, repeats_of_stages, channels, num_classes=3):
        super().__init__()
        self._stage_out_channels = channels
        input_channels = 3
        output_channels = self._stage_out_channels[0]
        self.conv1 = nn.Sequential(nn.Linear(input_channels, output_channels), nn.ReLU())
        input_channels = output_channels
        stage_names = ["stage{}".format(i) for i in [2, 3, 4]]
        for name, repeats, output_channels in zip(stage_names, repeats_of_stages, self._stage_out_channels[1:]):
            seq = [Block(input_channels, output_channels)]
            for i in range(repeats - 1):
                seq.append(Block(output_channels, output_channels))
            setattr(self, name, nn.Sequential(*seq))
            input_channels = output_channels
        output_channels = self._stage_out_channels[-1]
        self.fc = nn.Linear(input_channels, output_channels)
        self.classifier = nn.Linear(output_channels, num_classes)

    def features(self, x):
        x = self.conv1(x)
        x = self.stage2(x)
        x = self.stage3(x)
        x = self.stage4(x)
        return self.fc(x)

    def forward(self, x):
        return self.classifier(self.features(x))


class Literal(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.names = ["branch1", "branch2"]
        for name, width in zip(self.names, widths):
            setattr(self, name, nn.Linear(2, width))

    def forward(self, x):
        return [getattr(self, name)(x) for name in self.names]


class Counted(nn.Module):
    def __init__(self, widths):
        super().__init__()
        names = [f"conv_{i}" for i in range(len(widths))]
        for i, name in enumerate(names):
            self.add_module(name, nn.Linear(2, widths[i]))

    def forward(self, x):
        return self.conv_0(x), self.conv_1(x)


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i).reshape(p.shape))
    return net


net = fill(Net([2, 1, 2], [4, 5, 6, 7, 8]))
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
print(net(x).sum().item(), [name for name, _ in net.named_parameters()])
loss = net(x).pow(2).sum()
loss.backward()
print([round(p.grad.sum().item(), 2) for p in net.parameters()])
print(list(net.state_dict()))
other = fill(Literal([3, 4]))
print([y.sum().item() for y in other(x[:, :2])], list(other.state_dict()))
third = fill(Counted([3, 4]))
print([y.sum().item() for y in third(x[:, :2])], list(third.state_dict()))
