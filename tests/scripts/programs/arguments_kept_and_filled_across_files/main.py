# flagged: T2J601, also: nnx
import models
import torch

net = models.Net()
x = torch.ones(3, 2)
print(net(x).sum().item())
net.mask = torch.tensor([1.0, 0.0])
print(net(x).sum().item())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
    net.mask = net.mask + 1
