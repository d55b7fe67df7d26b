import torch
import torch.nn as nn
import torch.nn.functional as F


class VAT:
    def __init__(self, model, eps=0.5, xi=1e-1, n_iter=1):
        self.model = model
        self.eps, self.xi, self.n_iter = eps, xi, n_iter

    def kl(self, p_logit, q_logit):
        p = F.softmax(p_logit, dim=-1)
        return (p * (F.log_softmax(p_logit, -1) - F.log_softmax(q_logit, -1))).sum(-1).mean()

    def normalize(self, d):
        return F.normalize(d.flatten(1), dim=1).view_as(d)

    def __call__(self, x, logit):
        d = self.normalize(torch.ones_like(x) - x)
        for _ in range(self.n_iter):
            d = (self.xi * d).requires_grad_(True)
            dist = self.kl(logit.detach(), self.model(x + d))
            grad = torch.autograd.grad(dist, [d])[0]
            d = self.normalize(grad.detach())
        return self.kl(logit.detach(), self.model(x + self.eps * d))


model = nn.Sequential(nn.Linear(4, 6), nn.LeakyReLU(0.1), nn.Linear(6, 3))
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.8, 0.9, p.numel()).view_as(p))
opt = torch.optim.Adam(model.parameters(), lr=0.02)
vats = [VAT(model, n_iter=2)]
x = torch.sin(torch.arange(24.0)).view(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(5):
    logit = model(x)
    ce = F.cross_entropy(logit, y)
    reg = vats[0](x, logit)
    loss = ce + reg
    opt.zero_grad()  # T2J500
    loss.backward()  # T2J500
    opt.step()  # T2J500
    print(step, round(ce.item(), 5), round(reg.item(), 5))
