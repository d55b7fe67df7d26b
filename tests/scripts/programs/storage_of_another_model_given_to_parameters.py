# flagged: T2J303
import torch
import torch.nn as nn

net, target = nn.Linear(2, 1), nn.Linear(2, 1)
for p in net.parameters():
    p.data.fill_(0.5)
for tp, p in zip(target.parameters(), net.parameters()):
    tp.data = p.data
x = torch.ones(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
print(net(x).tolist(), target(x).tolist())
