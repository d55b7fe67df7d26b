# also: nnx, linen
"""Parts that are gone through in one order or the other, and keep state: statistics, counters."""

import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(scale))
        self.register_buffer("calls", torch.tensor(0.0))

    def forward(self, x, reverse=False):
        self.calls += 1
        return x / self.scale - self.calls if reverse else (x + self.calls) * self.scale


class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.flows = nn.ModuleList([Scale(2.0), Scale(0.5), Scale(3.0)])

    def forward(self, x, reverse=False):
        for flow in reversed(self.flows) if reverse else self.flows:
            x = flow(x, reverse)
        return x


class Bound(Chosen):
    def forward(self, x, reverse=False):
        flows = self.flows
        if reverse:
            flows = reversed(self.flows)
        for flow in flows:
            x = flow(x, reverse)
        return x


class Branches(Chosen):
    def forward(self, x, reverse=False):
        if reverse:
            flows = reversed(self.flows)
        else:
            flows = self.flows
        outputs = [x]
        for flow in flows:
            outputs.append(flow(outputs[-1], reverse))
        return sum(outputs)


x = torch.arange(4.0)
net = Chosen()
print(net(x).tolist(), net(x, reverse=True).tolist(), net(x).tolist())
print([flow.calls.item() for flow in net.flows])
other = Bound()
print(other(x).tolist(), other(x, reverse=True).tolist(), other(x).tolist())
print([flow.calls.item() for flow in other.flows])
third = Branches()
print(third(x).tolist(), third(x, reverse=True).tolist(), third(x).tolist())
print([flow.calls.item() for flow in third.flows])
