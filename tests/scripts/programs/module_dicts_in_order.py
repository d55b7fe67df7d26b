import torch
import torch.nn as nn
from collections import OrderedDict


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"b": nn.Linear(2, 5), "a": nn.Linear(5, 1)})
        self.heads = nn.ModuleDict()
        for name in ["z", "y"]:
            self.heads[name] = nn.Linear(1, 2)
        self.steps = nn.ModuleDict(OrderedDict([("second", nn.Linear(2, 2)), ("first", nn.BatchNorm1d(2))]))

    def forward(self, x):
        for name, layer in self.parts.items():
            x = torch.relu(layer(x))
        out = {}
        for name in self.heads:
            out[name] = self.heads[name](x)
        for name, layer in self.steps.items():
            out["z"] = layer(out["z"])
        return out


torch.manual_seed(0)
net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.1 * p.numel())
for name, p in net.named_parameters():
    print(name, tuple(p.shape))
print([tuple(p.shape) for p in net.parameters()])
x = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
out = net(x)
print(list(out), out["z"].sum().item(), out["y"].sum().item())
net.eval()
out = net(x)
print(list(out), round(out["z"].sum().item(), 4), out["y"].sum().item())
print("b" in net.parts, len(net.heads), list(net.heads.keys()))
print(list(net.state_dict()))
