# also: nnx, linen
"""Values stored in order where a mask beside numbers and slices holds."""

import torch
def f(x, m, v, i):
    x = x.clone()
    x[i, m] = v
    return x
def g(x, m, v):
    x = x.clone()
    x[:, m] = v
    return x
def h(x, m, v):
    x = x.clone()
    x[1:, m, :] = v
    return x
def k(n, last):
    mask = torch.zeros(n, 4, dtype=torch.int32) - 1
    for i in range(n):
        mask[i, 0:3] = i + torch.arange(3) - 1
        mask[i, mask[i] < 0] = -1
        mask[i, mask[i] > last - 1] = last - 1
    return mask
x = torch.arange(24.0).reshape(2, 3, 4)
m = torch.tensor([True, False, True])
print(f(x, m, 5.0, 1).tolist())
print(f(x, m, torch.ones(2, 4), 1).tolist())
print(f(x, m, torch.arange(4.0), 0).tolist())
print(g(x, m, x[:, m] * 2).tolist())
print(g(x, m, torch.tensor([[1.0], [2.0]]).expand(2, 4)).tolist())
print(g(x[..., 0], m, torch.tensor([7.0, 8.0])).tolist())
print(h(x, m, torch.ones(1, 2, 4) * 3).tolist())
print(g(x.reshape(2, 3, 4), torch.ones(3, 4) > 0, torch.arange(12.0)).tolist())
print(k(5, 4).tolist())
y = x.clone().requires_grad_()
z = y * 1
z[0, m] = y[1, m] * 2
print(torch.autograd.grad((z ** 2).sum(), y)[0].tolist())
s = [x, x * 2]
n = [torch.zeros_like(t) for t in s]
n[0][:, ~m] = s[0][:, ~m]
print(n[0].tolist())
w = x.clone()
m4 = torch.tensor([True, False, False, True])
w[:, 1, m4] = torch.arange(4.0).reshape(1, 2, 2)
print(w.tolist())
net = torch.nn.Linear(3, 3)
for p in net.parameters():
    p.data.fill_(0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    h0 = torch.zeros(2, 4, 3)
    h0[:, m4] = net(torch.ones(2, 2, 3))
    loss = (h0 ** 2).mean() + step
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
