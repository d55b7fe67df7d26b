# also: nnx, linen
"""Modules that a loop finds by the name of their class, and whose flags it sets: such layers then keep their first values."""
import torch
import torch.nn as nn


class ActNorm1d(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(dim))
        self.logs = nn.Parameter(torch.zeros(dim))
        self.data_dep_init_done = False

    def forward(self, x):
        if not self.data_dep_init_done and self.training:
            self.bias.data = (-x.mean(dim=0)).detach()
            self.logs.data = (-torch.log(x.std(dim=0) + 1e-6)).detach()
            self.data_dep_init_done = True
        return (x + self.bias) * torch.exp(self.logs)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = ActNorm1d(3)
        self.fc = nn.Linear(3, 3)
        self.b = ActNorm1d(3)
        nn.init.constant_(self.fc.weight, 0.3)
        nn.init.constant_(self.fc.bias, 0.1)

    def set_inited(self, inited=True):
        for name, m in self.named_modules():
            if m.__class__.__name__.find("ActNorm") >= 0:
                m.data_dep_init_done = inited

    def set_again(self, inited=True):
        for m in self.modules():
            classname = type(m).__name__
            if "ActNorm" in classname:
                m.data_dep_init_done = inited

    def forward(self, x):
        return self.b(torch.tanh(self.fc(self.a(x))))


x = torch.linspace(-1, 2, 12).reshape(4, 3) ** 2
for done in (False, True):
    net = Net()
    net.set_inited(done)
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for step in range(3):
        loss = ((net(x) - 1) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(done, step, loss.item())
    print(net.a.bias.tolist(), net.b.logs.tolist(), net.a.data_dep_init_done)
    state = net.state_dict()
net = Net()
net.load_state_dict(state)
net.set_again()
print(net(x).sum().item())
