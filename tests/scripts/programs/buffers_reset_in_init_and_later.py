# also: nnx, linen
import torch
import torch.nn as nn


class Memory(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.fc = nn.Linear(n, n)
        self.register_buffer("mem", torch.zeros(n))
        self.register_buffer("count", torch.zeros(1))
        self.reset(0.5)
        self.clear()
        self.reset_parameters()

    def reset(self, v):
        if self.n > 1:
            self.mem.fill_(v)
        else:
            self.mem[0] = v
        return self

    @torch.no_grad()
    def clear(self):
        self.mem.zero_()
        self.mem[1] = 1.0

    def reset_parameters(self):
        nn.init.constant_(self.fc.weight, 0.1)
        self.fc.bias.data.zero_()

    def forward(self, x):
        self.count += 1
        y = self.fc(x) + self.mem
        self.mem = self.mem + y.detach().mean(0)
        return y


m = Memory(3)
x = torch.arange(6.0).view(2, 3)
print(m(x).sum().item(), m.mem.sum().item())
print(m(x).sum().item(), m.mem.sum().item())
m.reset(0.25)
print(m.mem.sum().item())
print(m(x).sum().item(), m.mem.sum().item(), m.count.item())
m.clear()
print(m.mem.sum().item())
opt = torch.optim.SGD(m.parameters(), lr=0.1)
m(x).sum().backward()
opt.step()
print(m(x).sum().item())
