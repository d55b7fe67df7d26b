# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 3)

    def forward(self, x):
        with torch.no_grad():
            old = self.a(x)
        return self.a(x) * old


@torch.no_grad()
def target(net, x):
    return net.a(x)


def loss_of(net, x):
    return (net(x) * target(net, x)).mean()


def by_an_inner_function(net, x):
    with torch.no_grad():
        old = net.a(x)

    def get_loss():
        return (net.a(x) * old).mean()

    loss = get_loss()
    grads = torch.autograd.grad(loss, net.parameters())
    return grads, get_loss()


def by_an_input(x):
    x = x.clone().requires_grad_()
    z = x * 2
    with torch.no_grad():
        c = z.sin()
    y = (z * c).sum()
    return torch.autograd.grad(y, x)[0]


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.5 + i * 0.1, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 20).view(5, 4)
print([g.norm().item() for g in torch.autograd.grad(net(x).mean(), net.parameters())])
loss = loss_of(net, x)
print([g.norm().item() for g in torch.autograd.grad(loss, net.parameters())])
grads, value = by_an_inner_function(net, x)
print([g.norm().item() for g in grads], value.item())
print(by_an_input(x).norm().item())
