# also: linen
"""Whole models in files, alone and beside other things: they are used as they were, without the class in sight."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        nn.init.ones_(self.fc.weight)
        nn.init.ones_(self.fc.bias)
        self.act = nn.Sequential(nn.ReLU(), nn.GELU(), nn.Tanh(), nn.Softmax(dim=1), nn.Dropout(0.5))
        self.parts = nn.ModuleList([nn.Linear(2, 2, bias=False)])
        nn.init.eye_(self.parts[0].weight)

    def forward(self, x):
        return self.parts[0](self.act(self.fc(x)))


def save():
    net = Net()
    torch.save(net, "net.pkl")
    torch.save({"model": net, "epoch": 3}, "both.pkl")
    torch.save(net.state_dict(), "params.pkl")


def restore():
    net = torch.load("net.pkl", weights_only=False)
    net.eval()
    net = net.to("cpu")
    print(net(torch.ones(1, 2)).detach())
    again = torch.load("net.pkl", weights_only=False).cpu().eval()
    print(again(torch.zeros(1, 2)).detach())
    both = torch.load("both.pkl", weights_only=False)
    model = both["model"]
    model.eval()
    for p in model.parameters():
        print(p.shape)
    print(model(torch.ones(1, 2)).detach())


save()
restore()
torch.save(torch.ones(2, 2), "x.pt")
x = torch.load("x.pt").to("cpu")
y = torch.load("x.pt")
y = y.to("cpu").sum()
print(x * 2, y.item())
