# also: nnx, linen
"""Tensors of one element in lists, which torch.tensor takes for numbers, whatever their axes."""
import torch
import torch.nn as nn
from collections import deque
net = nn.Linear(2, 1)
with torch.no_grad():
    net.weight.fill_(0.3); net.bias.fill_(0.1)
xs = [torch.tensor([float(i), 1.0]) for i in range(4)]
values = [net(x) for x in xs]
t = torch.tensor(values)
print(t.shape, t.tolist())
rows = []
for x in xs:
    rows.append([net(x).detach()])
u = torch.tensor(rows, dtype=torch.float)
print(u.shape, u.tolist())
memory = deque(maxlen=10)
for i, x in enumerate(xs):
    memory.append((x, net(x).detach(), i))
a, b, c = [], [], []
for item in memory:
    s, v, n = item
    a.append(v); b.append([n])
w = torch.FloatTensor(a)
print(w.shape, torch.tensor(b).shape, torch.as_tensor(a).shape)
target = torch.tensor([[0.5]] * 4)
loss = ((net(torch.stack(xs)) - u) ** 2).sum() + ((net(torch.stack(xs)) - w.unsqueeze(1)) ** 2).mean()
print(round(loss.item(), 5))
def total(items):
    return torch.tensor([item for item in items]).sum()
print(total([net(x) for x in xs]).item(), total([1.0, 2.0]).item())
