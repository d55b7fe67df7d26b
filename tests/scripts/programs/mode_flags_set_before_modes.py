# also: nnx, linen
"""`model.training = v` in front of what sets the mode of the model and of all its parts."""
import collections

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)
        nn.init.constant_(self.fc.weight, 0.2)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        x = self.bn(self.fc(x)) + torch.tensor([0.0, 1.0])
        if self.training:
            return (x ** 2).sum()
        return (x ** 2).mean()

    def freeze_bn(self):
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm1d):
                layer.eval()


def main(use_gpu=True):
    x = torch.linspace(-1, 2, 12).reshape(4, 3) ** 2
    net = Net()
    if use_gpu:
        if torch.cuda.is_available():
            net = net.cuda()
    if torch.cuda.is_available():
        net = torch.nn.DataParallel(net).cuda()
    else:
        net = torch.nn.DataParallel(net)

    net.training = True

    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    losses = collections.deque(maxlen=500)

    net.train()
    net.module.freeze_bn()
    for step in range(3):
        optimizer.zero_grad()
        loss = net(x)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(list(losses))

    net.training = False
    net.eval()
    net.module.freeze_bn()
    with torch.no_grad():
        print(net(x).item())


main()
