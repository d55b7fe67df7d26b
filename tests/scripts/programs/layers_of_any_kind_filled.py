# also: nnx
import torch
import torch.nn as nn


def weights(m):
    name = m.__class__.__name__
    if name.find("Linear") != -1:
        m.weight.data.copy_(torch.sin(torch.arange(m.weight.numel()).float()).view_as(m.weight))
        m.bias.data.fill_(0)
        m.weight.data.mul_(2)
        m.weight.data[0] = 1
        nn.init.constant_(m.bias, 0.5)


def again(m):
    if isinstance(m, nn.Linear):
        m.weight.data = m.weight.data * 2
        m.bias.data.fill_(0.1)


net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
net.apply(weights)
net.apply(again)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(2, 3)
for _ in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(sum(p.numel() for p in net.parameters()))
