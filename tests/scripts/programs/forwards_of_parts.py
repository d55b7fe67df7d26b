# also: nnx, linen
"""Parts whose `forward` is called by its name: layers of torch and modules of the program, in fields and lists."""

import torch
import torch.nn as nn


class SumOfLosses(nn.Module):
    def __init__(self, l1, l2):
        super().__init__()
        self.l1 = l1
        self.l2 = l2

    def forward(self, *inputs):
        return self.l1.forward(*inputs) + self.l2.forward(*inputs)


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.zeros_(self.fc.bias)

    def forward(self, x):
        return self.fc.forward(x) + x


class Flows(nn.Module):
    def __init__(self, flows):
        super().__init__()
        self.flows = nn.ModuleList(flows)

    def forward(self, x):
        for flow in self.flows:
            x = flow.forward(x)
        return x


class Gated(nn.Module):
    def __init__(self, gate, body):
        super().__init__()
        self.gate = gate
        self.body = body

    def forward(self, x):
        return torch.sigmoid(self.gate.forward(x)) * self.body.forward(x)


loss = SumOfLosses(nn.MSELoss(), nn.L1Loss())
print(loss(torch.ones(3), torch.zeros(3)).item())
net = Flows([Flow(), nn.Tanh(), nn.Sequential(Flow(), nn.ReLU())])
print(net.forward(torch.ones(2, 3)).tolist())
linear = nn.Linear(3, 3)
nn.init.constant_(linear.weight, 0.25)
nn.init.zeros_(linear.bias)
gated = Gated(linear, Flow())
print(gated.forward(torch.ones(2, 3)).tolist())
