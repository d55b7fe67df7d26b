# also: nnx
# Functions that bind a model or an optimizer around them anew: what is kept beside it is a new one for everybody.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.bn = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.bn(self.fc(x))


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.3)


model = Net()
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def reset():
    global model, opt
    model = Net()
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def fresh(lr):
    global opt
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)


def train(x):
    opt.zero_grad()
    loss = (model(x) - 1).pow(2).mean() + model.fc.weight.pow(2).sum()
    loss.backward()
    opt.step()
    return loss.item()


x = torch.cos(torch.arange(24.0)).reshape(6, 4)
for i in range(3):
    print(train(x), model.bn.running_mean.sum().item())
reset()
print(model.bn.running_mean.sum().item())
for i in range(3):
    print(train(x), model.bn.running_mean.sum().item())
fresh(0.2)
for i in range(3):
    print(train(x), model.bn.running_mean.sum().item())


def experiment(n):
    net = nn.Linear(4, 2)
    fill(net)
    best = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)

    def restart():
        nonlocal best
        best = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)

    for i in range(n):
        best.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        best.step()
        print(loss.item())
        if i == 1:
            restart()


experiment(4)
