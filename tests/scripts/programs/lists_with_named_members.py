# also: nnx, linen
"""Lists of modules whose members are added by names."""

import torch
import torch.nn as nn


class MultiDiscriminator(nn.Module):
    def __init__(self, input_shape, count=3):
        super().__init__()

        def discriminator_block(in_filters, out_filters, normalize=True):
            layers = [nn.Conv2d(in_filters, out_filters, 4, stride=2, padding=1)]
            if normalize:
                layers.append(nn.BatchNorm2d(out_filters, 0.8))
            layers.append(nn.LeakyReLU(0.2))
            return layers

        channels, _, _ = input_shape
        self.models = nn.ModuleList()
        for i in range(count):
            self.models.add_module(
                "disc_%d" % i,
                nn.Sequential(
                    *discriminator_block(channels, 4, normalize=False),
                    *discriminator_block(4, 8),
                    nn.Conv2d(8, 1, 3, padding=1),
                ),
            )
        self.downsample = nn.AvgPool2d(3, stride=2, padding=[1, 1], count_include_pad=False)

    def compute_loss(self, x, gt):
        return sum([torch.mean((out - gt) ** 2) for out in self.forward(x)])

    def forward(self, x):
        outputs = []
        for m in self.models:
            outputs.append(m(x))
            x = self.downsample(x)
        return outputs


class Heads(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.heads = nn.ModuleList()
        self.heads.add_module("first", nn.Linear(4, 2))
        for name in names:
            self.heads.add_module(name, nn.Linear(4, 2))

    def forward(self, x):
        total = sum([head(x) for head in self.heads])
        for number, head in enumerate(self.heads):
            total = total + (number + 1) * head(x) / len(self.heads)
        return total


class Cell(nn.Module):
    """Parts of a list that are run one by one, with something between."""

    def __init__(self):
        super().__init__()
        self.path_1 = nn.Sequential()
        self.path_1.add_module("avgpool", nn.AvgPool2d(1, stride=2, count_include_pad=False))
        self.path_1.add_module("conv", nn.Conv2d(2, 3, 1, bias=False))
        self.path_2 = nn.ModuleList()
        self.path_2.add_module("pad", nn.ZeroPad2d((0, 1, 0, 1)))
        self.path_2.add_module("avgpool", nn.AvgPool2d(1, stride=2, count_include_pad=False))
        self.path_2.add_module("conv", nn.Conv2d(2, 3, 1, bias=False))
        self.norm = nn.BatchNorm2d(6)

    def forward(self, x):
        x_path1 = self.path_1(x)
        x_path2 = self.path_2.pad(x)
        x_path2 = x_path2[:, :, 1:, 1:]
        x_path2 = self.path_2.avgpool(x_path2)
        x_path2 = self.path_2.conv(x_path2)
        return self.norm(torch.cat([x_path1, x_path2], 1))


def main():
    net = MultiDiscriminator((1, 16, 16), count=2)
    heads = Heads(["left", "right"])
    cell = Cell()
    for module in (net, heads, cell):
        for p in module.parameters():
            nn.init.constant_(p, 0.05)
    x = torch.arange(512.0).reshape(2, 1, 16, 16).sin()
    print([tuple(out.shape) for out in net(x)], net.compute_loss(x, 1).item())
    net.eval()
    print(net.compute_loss(x, 0).item(), [name for name, _ in net.named_parameters()][:3])
    print(heads(x[0, 0, :, :4]).sum().item(), sorted(heads.state_dict()))
    print(cell(x.reshape(2, 2, 16, 8))[1, 4, 2].tolist(), cell.path_2.conv.weight.shape, list(cell.state_dict()))


main()
