# also: nnx
import torch
import torch.nn as nn
import torch.nn.functional as F


class Learner(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.vars = nn.ParameterList()
        for i, (name, param) in enumerate(self.config):
            if name == 'linear':
                w = nn.Parameter(torch.ones(*param))
                torch.nn.init.constant_(w, 0.1 * (i + 1))
                with torch.no_grad():
                    pass
                self.vars.append(w)
                self.vars.append(nn.Parameter(torch.zeros(param[0])))
            elif name in ['tanh', 'relu']:
                continue
            else:
                raise NotImplementedError

    def forward(self, x, vars=None):
        if vars is None:
            vars = self.vars
        idx = 0
        for name, param in self.config:
            if name == 'linear':
                w, b = vars[idx], vars[idx + 1]
                x = F.linear(x, w, b)
                idx += 2
            elif name == 'tanh':
                x = torch.tanh(x)
        return x


config = [('linear', [8, 4]), ('tanh', []), ('linear', [3, 8])]
net = Learner(config)
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.add_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape) * 0.3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
x, y = torch.cos(torch.arange(24).float()).view(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(3):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("%.5f" % loss.item())
grad = torch.autograd.grad(F.cross_entropy(net(x), y), net.parameters())
fast = list(map(lambda p: p[1] - 0.1 * p[0], zip(grad, net.parameters())))
print("%.5f" % F.cross_entropy(net(x, fast), y).item())
