# also: nnx
"""Parameters in dicts come in the order that torch gives them: sorted where they come from a plain dict."""

from collections import OrderedDict
import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.ParameterDict({"pos": nn.Parameter(torch.zeros(2)), "neg": nn.Parameter(torch.ones(2))})
        self.c = nn.ParameterDict()
        self.c["z"] = nn.Parameter(torch.zeros(1))
        self.c["y"] = nn.Parameter(torch.ones(1))
        self.d = nn.ParameterDict(
            OrderedDict([("q", nn.Parameter(torch.zeros(1))), ("p", nn.Parameter(torch.ones(1)))])
        )
        self.e = nn.ParameterDict({k: nn.Parameter(torch.zeros(1)) for k in ("v", "u")})

    def forward(self, x):
        return x * self.b["pos"] + self.b["neg"] + self.c["z"] * self.d["q"] + self.e["u"]


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.5)
    return m


net = fill(Gate())
print([n for n, _ in net.named_parameters()])
print({k: v.sum().item() for k, v in net.state_dict().items()})
print(net(torch.ones(2)).tolist())
fill(net)
print(net(torch.ones(2)).tolist())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.ones(2)).pow(2).sum()
    loss.backward()
    opt.step()
    print(loss.item(), [n for n, _ in net.named_parameters()])
