# also: nnx
import torch
import torch.nn as nn


def tables():
    return [torch.ones(2) * 2, torch.zeros(1)]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = (torch.ones(2), torch.zeros(2))
        self.by_name = {"scale": torch.ones(2) * 3, "shifts": [torch.zeros(2)]}
        self.grown = []
        for i in range(2):
            self.grown.append(torch.ones(2) * i)
        self.made = tables()
        self.unregistered = [nn.Parameter(torch.ones(2))]
        self.lin = nn.Linear(3, 2)

    def forward(self, x):
        y = self.lin(x) * self.pair[0] + self.pair[1]
        y = y * self.by_name["scale"] + self.by_name["shifts"][0]
        return y * self.grown[1] + self.grown[0] + self.made[0] * self.unregistered[0]


net = Net()
nn.init.constant_(net.lin.weight, 0.1)
nn.init.constant_(net.lin.bias, 0.2)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.linspace(-1, 1, 12).view(4, 3)).pow(2).sum()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}", len(list(net.parameters())), list(net.state_dict()))
print(net.pair[0], net.by_name["scale"], net.grown[1], net.made[0], net.unregistered[0].detach())
