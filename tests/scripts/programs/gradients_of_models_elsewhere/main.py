# also: nnx, linen
import torch
from model import Net

net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.linspace(-0.5, 0.5 + i * 0.1, p.numel()).view(p.shape))
x = torch.linspace(-1, 1, 20).view(5, 4)
loss = net(x).mean()
print([g.sum().item() for g in torch.autograd.grad(loss, net.parameters())])


def norm_of(net, x):
    loss = net(x).pow(2).mean()
    grads = torch.autograd.grad(loss, list(net.parameters()), create_graph=True)
    return sum(g.pow(2).sum() for g in grads).sqrt()


opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = norm_of(net, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
