"""Files of parameters that are read with the classes that they may name: a list in place, in a variable, or by a branch."""

import sys

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        nn.init.ones_(self.fc.weight)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.fc(x)


def restore(kind):
    net = Net()
    # the classes that the file may name
    if kind == "plain":
        safe_globals = [Net, torch.nn.modules.linear.Linear, torch.nn.modules.sparse.Embedding]
    else:
        safe_globals = [
            Net,
            torch.nn.modules.container.ModuleList,
            torch.nn.modules.linear.NonDynamicallyQuantizableLinear,
        ]
    with torch.serialization.safe_globals(safe_globals):
        net.load_state_dict(torch.load("net.pt"))
    return net


torch.save(Net().state_dict(), "net.pt")
torch.serialization.add_safe_globals([Net, nn.Linear])
with open("net.pt", "rb") as file, torch.serialization.safe_globals([Net]):
    net = Net()
    net.load_state_dict(torch.load(file))
print(net(torch.ones(1, 2)).detach(), restore("plain")(torch.ones(1, 2)).detach())
allowed = [nn.Linear, Net]
with torch.serialization.safe_globals(allowed):
    net.load_state_dict(torch.load("net.pt"))
print(len(allowed), net.fc.weight.sum().item())
