# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 2, 1)
        self.act = nn.ReLU()
        self.pool = nn.MaxPool1d(1)
        self.up = nn.ConvTranspose1d(2, 1, 1, bias=False)

    def forward(self, x):
        return self.up(self.pool(self.act(self.conv(x))))


def get_parameters(model, bias=False):
    import torch.nn as nn

    modules_skipped = (nn.ReLU, nn.MaxPool1d, nn.Dropout2d, nn.Sequential, Net)
    for m in model.modules():
        if isinstance(m, nn.Conv1d):
            if bias:
                yield m.bias
            else:
                yield m.weight
        elif isinstance(m, nn.ConvTranspose1d):
            if bias:
                assert m.bias is None
        elif isinstance(m, modules_skipped):
            continue
        else:
            raise ValueError("Unexpected module: %s" % str(m))


def main():
    model = Net()
    for p in model.parameters():
        p.data.fill_(0.1)
    optim = torch.optim.SGD(
        [
            {"params": get_parameters(model, bias=False)},
            {"params": get_parameters(model, bias=True), "lr": 0.2, "weight_decay": 0},
        ],
        lr=0.1,
        momentum=0.9,
        weight_decay=0.01,
    )
    for k in range(3):
        optim.zero_grad()
        loss = (model(torch.ones(3, 2, 1)) - 1).pow(2).mean()
        loss.backward()
        optim.step()
        print(loss.item())


main()
