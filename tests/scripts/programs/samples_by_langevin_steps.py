# also: nnx, linen
"""Samples that follow the gradient of an energy: data of a leaf change behind each torch.autograd.grad, which keeps its graph."""

import torch as t
import torch.nn as nn
t.manual_seed(1)
class F(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
        self.energy_output = nn.Linear(4, 1)
        self.class_output = nn.Linear(4, 3)
    def forward(self, x, y=None):
        penult_z = self.f(x)
        return self.energy_output(penult_z).squeeze()
    def classify(self, x):
        return self.class_output(self.f(x)).squeeze()

class CCF(F):
    def forward(self, x, y=None):
        logits = self.classify(x)
        if y is None:
            return logits.logsumexp(1)
        else:
            return t.gather(logits, 1, y[:, None])

def sample_q(f, init, n_steps=4, step=0.1, y=None):
    f.eval()
    x_k = t.autograd.Variable(init, requires_grad=True)
    for k in range(n_steps):
        f_prime = t.autograd.grad(f(x_k, y=y).sum(), [x_k], retain_graph=True)[0]
        x_k.data += step * f_prime
    f.train()
    final_samples = x_k.detach()
    return final_samples

f = CCF()
for i, p in enumerate(f.parameters()):
    p.data.copy_(t.linspace(-0.5, 0.5, p.numel()).view(p.shape) + 0.05 * i)
optim = t.optim.Adam(f.parameters(), 0.01)
x = t.linspace(-1, 1, 8).view(4, 2)
y = t.tensor([0, 1, 2, 1])
for e in range(3):
    L = 0.
    x_q = sample_q(f, t.linspace(-0.5, 0.4, 8).view(4, 2))
    fp = f(x).mean()
    fq = f(x_q).mean()
    L += -(fp - fq)
    logits = f.classify(x)
    L += nn.CrossEntropyLoss()(logits, y)
    acc = (logits.max(1)[1] == y).float().mean()
    optim.zero_grad()
    L.backward()
    optim.step()
    print(L.item(), acc.item(), x_q.sum().item())
