"""In place operations that are functions, and those that change shapes."""

import torch
import torch.nn.functional as F

x = torch.arange(-3.0, 3.0)
F.relu_(x)
print(x.sum().item())
y = torch.arange(-3.0, 3.0)
z = F.relu_(y) + 1
print(z.sum().item(), y.sum().item())
w = torch.arange(-3.0, 3.0)
torch.relu_(w)
print(w.sum().item())
torch.clamp_(w, max=1.5)
print(w.sum().item())
F.elu_(w)
F.leaky_relu_(w, 0.1)
torch.selu_(w)
print(w.sum().item())
q = torch.arange(1.0, 7.0).resize_(2, 3)
print(q.tolist())
q.resize_(3, 2)
print(q.tolist())
q.resize_((4,))
print(q.tolist())
p = torch.empty(0)
p.resize_(2, 2)
p.fill_(3.0)
print(p.tolist())
r = torch.zeros(1)
r.resize_as_(q)
r.copy_(q)
print(r.tolist())
