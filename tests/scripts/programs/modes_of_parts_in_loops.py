# also: nnx
"""Layers of BatchNorm rest while the model trains: loops over modules, methods and functions for apply set their mode."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.bn = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 4, 3)
        self.bn2 = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        return self.fc(torch.relu(self.bn2(self.conv2(x))).mean((2, 3)))

    def freeze_bn(self):
        for layer in self.modules():
            if isinstance(layer, nn.BatchNorm2d):
                layer.eval()


def freeze(model):
    for m in model.modules():
        if isinstance(m, nn.modules.batchnorm._BatchNorm):
            m.eval()


def set_bn_eval(m):
    if isinstance(m, nn.BatchNorm2d):
        m.eval()


def set_bn_eval_by_name(m):
    classname = m.__class__.__name__
    if classname.find("BatchNorm") != -1:
        m.eval()


def fill(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() + 1).view(p.shape))


net = Net()
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(2):
    net.train()
    if epoch == 1:
        net.freeze_bn()
    for step in range(2):
        x = torch.cos(torch.arange(128).float() * (step + 1)).view(2, 1, 8, 8)
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), net.bn.running_mean.sum().item())
net.train()
freeze(net)
print(net(x).sum().item(), net.bn.running_mean.sum().item(), net.training)
net.train()
net.apply(set_bn_eval)
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.train()
net.apply(set_bn_eval_by_name)
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.train()
for name, module in net.named_modules():
    if isinstance(module, nn.BatchNorm2d) and "2" in name:
        module.eval()
print(net(x).sum().item(), net.bn.running_mean.sum().item(), net.bn2.running_mean.sum().item())
