# also: nnx
import torch
from torch import nn

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.ones(2, 3)
history = []
for i in range(3):
    opt.zero_grad()
    net(x).pow(2).sum().backward()
    before = [p.grad.clone() for p in net.parameters()]
    kept = [p.grad for p in net.parameters()]
    norms = [g.norm().item() for g in kept]
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
    history.append(net.weight.grad)
    opt.step()
    print(norms, sum(b.sum().item() for b in before))
print([h.sum().item() for h in history])
