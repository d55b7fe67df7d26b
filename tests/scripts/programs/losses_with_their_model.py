"""Losses of objects that keep the trained model: a penalty, consistency, virtual adversarial training, distillation."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F


class Regularizer:
    def __init__(self, model, weight):
        self.model = model
        self.weight = weight

    def __call__(self):
        return self.weight * sum(p.pow(2).sum() for p in self.model.parameters())


class Consistency:
    def __init__(self, net):
        self.net = net
        self.calls = 0

    def loss(self, x):
        self.calls += 1
        return (self.net(x) - self.net(x * 1.1)).pow(2).mean()


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


class Distiller:
    def __init__(self, teacher, student, T=2.0):
        self.teacher = teacher
        self.student = student
        self.T = T

    def __call__(self, x):
        with torch.no_grad():
            t = F.softmax(self.teacher(x) / self.T, 1)
        return F.kl_div(F.log_softmax(self.student(x) / self.T, 1), t, reduction="batchmean")


def make():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    for p in net.parameters():
        p.data.copy_(torch.linspace(-0.8, 0.9, p.numel()).view(p.shape))
    return net


x = torch.sin(torch.arange(18.0)).view(6, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0])

model = make()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
reg = Regularizer(model, 0.01)
for step in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y) + reg()
    loss.backward()
    opt.step()
    print(loss.item())

net = make()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
consistency = Consistency(net)
for step in range(3):
    out = net(x)
    ce = F.cross_entropy(out, y)
    extra = consistency.loss(x)
    total = ce + extra
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
    print(ce.item(), extra.item())
print(consistency.calls)

student, teacher = make(), make()
optimizer = torch.optim.Adam(student.parameters(), lr=0.05)
vat = VAT(student, n_iter=2)
distill = Distiller(teacher, student)
for step in range(3):
    logit = student(x * 0.5)
    hard = F.cross_entropy(logit, y)
    soft = distill(x)
    smooth = vat(x, logit)
    optimizer.zero_grad()
    (hard + soft + smooth).backward()
    optimizer.step()
    print(hard.item(), soft.item(), smooth.item())
print(vat.eps, distill.T)
