# also: nnx, linen
import torch
import torch.nn as nn

net = nn.Linear(3, 2)
for i, p in enumerate(net.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.2
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y = torch.tensor([1])
x = torch.cos(torch.arange(6.0)).view(2, 1, 3)


def train():
    h = torch.zeros(1, 2)
    for i in range(x.size(0)):
        out = net(x[i])
        h = h + out
    loss = nn.functional.cross_entropy(out + h, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item(), out.sum().item()


for epoch in range(3):
    print(train())
for epoch in range(3):
    h = torch.zeros(1, 2)
    for i in range(x.size(0)):
        final = net(x[i])
        h = h + final
    loss = nn.functional.cross_entropy(final + h, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), final.sum().item())
