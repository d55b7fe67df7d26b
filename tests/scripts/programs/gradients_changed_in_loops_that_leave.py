# flagged: T2J503
import torch
import torch.nn as nn

net = nn.Linear(3, 2)
for p in net.parameters():
    p.data = torch.linspace(-0.5, 0.5, p.numel()).view(p.shape)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.arange(12.0).view(4, 3) / 6


def masks(model):
    return [(p.data > 0).float() for p in model.parameters()]


for step in range(3):
    opt.zero_grad()
    loss = (net(x) - 1).pow(2).mean()
    loss.backward()
    for p, mask in zip(net.parameters(), masks(net)):
        p.grad.mul_(mask)
    for p in net.parameters():
        p.grad.add_(p.data, alpha=len(list(net.parameters())))
    for p in net.parameters():
        p.grad.mul_((p > 0).float())
        break
    opt.step()
    print("%.5f" % loss.item())
print([p.sum().item() for p in net.parameters()])
