# also: nnx, linen
"""Parameters in lists and dicts that a module does not know are not trained with it."""

import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [nn.Parameter(torch.ones(3) * (i + 1)) for i in range(2)]
        self.by_name = {"gain": nn.Parameter(torch.ones(3)), "shift": nn.Parameter(torch.zeros(3), requires_grad=True)}
        self.pair = (nn.Parameter(torch.ones(1)), 2)
        self.weight = nn.Parameter(torch.ones(3))
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        for scale in self.scales:
            x = torch.tanh(x * scale)
        y = self.out(x * self.by_name["gain"] + self.by_name["shift"])
        return y * self.pair[0] + (self.weight * self.pair[1]).mean()


net = Scaled()
nn.init.constant_(net.out.weight, 0.1)
nn.init.constant_(net.out.bias, 0.2)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1.5, 12).view(4, 3)
for _ in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}", len(list(net.parameters())), sorted(net.state_dict()))
print(net.scales[1].detach(), net.by_name["shift"].tolist(), net.pair[1])
