# also: nnx, linen
import torch
import torch.nn as nn


class Flow(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = nn.Parameter(torch.full((3,), scale))

    def forward(self, x, mask, reverse=False):
        if not reverse:
            return x * torch.exp(self.scale) * mask, torch.sum(self.scale * mask, [1])
        return x * torch.exp(-self.scale) * mask


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.flows = nn.ModuleList()
        self.flows.append(Flow(0.1))
        for i in range(2):
            self.flows.append(Flow(0.2 + i))

    def forward(self, x, mask, reverse=False):
        if reverse:
            for flow in reversed(self.flows):
                x = flow(x, mask, reverse=True)
            return x
        total = 0
        z = x
        for flow in self.flows:
            z, log_det = flow(z, mask)
            total += log_det
        total += torch.sum(z * mask, [1])
        total -= 0.5 * torch.log(torch.tensor(6.28))
        return torch.sum(z**2, 1) - total


def penalty(parts, scale):
    found = 0.0
    for part in parts:
        found += part(scale)
    found *= torch.tensor(2.0)
    return found


net = Predictor()
x = torch.arange(6.0).view(2, 3)
mask = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
print(net(x, mask).tolist(), net(x, mask, reverse=True).tolist())
net(x, mask).sum().backward()
print([[round(value, 3) for value in p.grad.tolist()] for p in net.parameters()])
print(penalty([torch.sin, lambda value: value * x.sum()], torch.tensor(0.5)).item())
