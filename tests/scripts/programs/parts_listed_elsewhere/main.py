# also: nnx, linen
# Layers without parameters are parts of modules that other files list.
import torch
from blocks import make
from tools import depth, names, run

net = make(2)
for p in net.parameters():
    p.data.fill_(0.3)
net.eval()
print(names(net), len(list(net.modules())), depth(net))
x = torch.arange(8.0).reshape(1, 2, 4)
print(run(net, x, "1").flatten().tolist(), run(net, x, "4").tolist(), net(x).sum().item())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = (net(x) - 0.5).square().mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
