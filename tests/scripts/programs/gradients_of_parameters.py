# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 6)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))

    def flat_gradient(self, x, y):
        grads = torch.autograd.grad(F.cross_entropy(self(x), y), self.parameters())
        return torch.cat([g.flatten() for g in grads])


class Trainer:
    def __init__(self, net, rate):
        self.net = net
        self.rate = rate

    def update(self, x, y):
        loss = F.cross_entropy(self.net(x), y)
        grads = torch.autograd.grad(loss, list(self.net.parameters()))
        for p, g in zip(self.net.parameters(), grads):
            p.data -= self.rate * g
        return loss.item()


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + i * 0.1, p.numel()).view(p.shape))


def last_layer(net, x, y):
    loss = F.cross_entropy(net(x), y)
    return torch.autograd.grad(loss, net.head.weight)[0]


net, other = Net(), nn.Linear(3, 4)
fill(net)
fill(other)
x = torch.linspace(-1, 1, 20).view(5, 4)
y = torch.tensor([0, 1, 2, 1, 0])
print(net.flat_gradient(x, y).norm().item(), last_layer(net, x, y).norm().item())

out = net(x)
first, second = F.cross_entropy(out, y), out.pow(2).mean()
one = torch.autograd.grad(first, net.parameters(), retain_graph=True)
two = torch.autograd.grad(second, net.parameters())
print(len(one), sum((a * b).sum() for a, b in zip(one, two)).item())

both = list(net.parameters()) + list(other.parameters())
grads = torch.autograd.grad(F.mse_loss(other(net(x)), x), both)
print([g.norm().item() for g in grads])

trained = [p for p in net.parameters() if p.requires_grad]
print(sum(g.sum() for g in torch.autograd.grad(F.cross_entropy(net(x), y), trained)).item())
params = list(net.parameters())
for step in range(3):
    loss = F.cross_entropy(net(x), y)
    grads = torch.autograd.grad(loss, params)
    with torch.no_grad():
        for p, g in zip(params, grads):
            p -= 0.1 * g
    print(loss.item(), torch.sqrt(sum((g**2).sum() for g in grads)).item())
trainer = Trainer(net, 0.1)
print(trainer.update(x, y), trainer.update(x, y))
