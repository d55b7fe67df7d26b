"""Networks written with tensors, whose functions read them from around: several optimizers, some of the same tensors."""

import torch
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable


def init(a, b):
    return Variable(torch.linspace(-0.5, 0.7, a * b).view(a, b), requires_grad=True)


Wzh = init(2, 4)
bzh = Variable(torch.zeros(4), requires_grad=True)
Whx = init(4, 3)
bhx = Variable(torch.zeros(3), requires_grad=True)


def G(z):
    h = F.relu(z @ Wzh + bzh.repeat(z.size(0), 1))
    return torch.sigmoid(h @ Whx + bhx.repeat(h.size(0), 1))


Wxh = init(3, 4)
bxh = Variable(torch.zeros(4), requires_grad=True)
Why = init(4, 1)
bhy = Variable(torch.zeros(1), requires_grad=True)


def D(X):
    h = F.relu(X @ Wxh + bxh.repeat(X.size(0), 1))
    return torch.sigmoid(h @ Why + bhy.repeat(h.size(0), 1))


G_params = [Wzh, bzh, Whx, bhx]
D_params = [Wxh, bxh, Why, bhy]
params = G_params + D_params
X = torch.linspace(-1, 1, 12).view(4, 3) ** 2
z = torch.linspace(-1, 1, 8).view(4, 2)


Wq = init(3, 2)
bq = Variable(torch.zeros(2), requires_grad=True)


def Q(X):
    return F.softmax(X @ Wq + bq.repeat(X.size(0), 1), dim=1)


Q_params = [Wq, bq]
every = G_params + D_params + Q_params


def reset_grad():
    for p in every:
        if p.grad is not None:
            data = p.grad.data
            p.grad = Variable(data.new().resize_as_(data).zero_())


G_solver = optim.Adam(G_params, lr=0.02)
D_solver = optim.Adam(D_params, lr=0.02)
Q_solver = optim.Adam(G_params + Q_params, lr=0.02)
c = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
for it in range(3):
    D_loss = -torch.mean(torch.log(D(X)) + torch.log(1 - D(G(z))))
    D_loss.backward()
    D_solver.step()
    reset_grad()
    G_loss = -torch.mean(torch.log(D(G(z))))
    G_loss.backward()
    G_solver.step()
    reset_grad()
    q_loss = torch.mean(-torch.sum(c * torch.log(Q(G(z)) + 1e-8), dim=1))
    q_loss.backward()
    Q_solver.step()
    reset_grad()
    print(f"{D_loss.item():.4f} {G_loss.item():.4f} {q_loss.item():.4f} {G(z).sum().item():.4f}")
