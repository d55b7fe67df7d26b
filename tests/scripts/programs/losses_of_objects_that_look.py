"""A loss to which an object adds that keeps the model itself."""
# also: nnx, linen

import torch
import torch.nn as nn

class Look:
    def __init__(self, model, scale):
        self.model, self.scale = model, scale
    def score(self, x):
        return self.scale * self.model(x).sum()

def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)

def run(x, n):
    net = nn.Linear(3, 2)
    fill(net)
    look = Look(net, 2.0)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    seen = []
    for i in range(n):
        opt.zero_grad()
        loss = net(x).pow(2).mean() + 0.01 * look.score(x)
        loss.backward()
        opt.step()
        seen.append(look.score(x).item())
    return seen, net


x = torch.sin(torch.arange(12.0)).view(4, 3)
print(run(x, 3)[0])
