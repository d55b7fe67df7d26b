# also: nnx
import torch
import torch.nn as nn


class VQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.code = nn.Parameter(torch.sin(torch.arange(12.0)).view(3, 4), requires_grad=False)
        self.count = nn.Parameter(torch.zeros(3), requires_grad=False)
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        x = self.fc(x)
        d = torch.cdist(x, self.code)
        i = d.argmin(1)
        if self.training:
            one = torch.nn.functional.one_hot(i, 3).float()
            self.count.data.mul_(0.9).add_(one.sum(0), alpha=0.1)
            self.code.data = self.code.data * 0.9 + 0.1 * (one.t() @ x.detach())
        q = self.code[i]
        return x + (q - x).detach(), ((q.detach() - x) ** 2).mean()


m = VQ()
with torch.no_grad():
    m.fc.weight.copy_(torch.eye(4))
    m.fc.bias.zero_()
opt = torch.optim.Adam(m.parameters(), lr=0.01)
for step in range(3):
    q, l = m(torch.cos(torch.arange(20.0) + step).view(5, 4))
    loss = q.pow(2).mean() + l
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
print(round(m.count.sum().item(), 4), round(m.code.sum().item(), 4))
print(len(m.state_dict()))
