# also: nnx
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, seq, pred, channels, individual):
        super().__init__()
        self.individual = individual
        self.channels = channels
        if self.individual:
            self.season = nn.ModuleList()
            for i in range(self.channels):
                self.season.append(nn.Linear(seq, pred))
                self.season[i].weight = nn.Parameter((1 / seq) * torch.ones([pred, seq]))
                nn.init.constant_(self.season[i].bias, 0.1 * i)
        else:
            self.season = nn.Linear(seq, pred)
            self.season.weight = nn.Parameter((1 / seq) * torch.ones([pred, seq]))
            nn.init.constant_(self.season.bias, 0.1)

    def forward(self, x):
        if self.individual:
            return sum(self.season[i](x[:, i]).sum() for i in range(self.channels))
        return self.season(x).sum()


x = torch.arange(24.0).reshape(2, 3, 4)
for flag in (False, True):
    net = Net(4, 2, 3, flag)
    opt = torch.optim.SGD(net.parameters(), lr=0.001)
    for _ in range(3):
        opt.zero_grad()
        loss = net(x)
        loss.backward()
        opt.step()
        print(loss.item())
