# also: nnx, linen
# A loop behind the step has the variables of one in it.
import torch
import torch.nn as nn

net = nn.Linear(3, 2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
x = torch.sin(torch.arange(12).float()).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
weights = {"a": 1.0, "b": 2.0}


def parts(out):
    return {"a": (out**2).mean(), "b": out.abs().mean()}


for i in range(3):
    out = net(x)
    found = parts(out)
    loss = 0.0
    values = []
    for key, coef in weights.items():
        value = coef * found[key]
        loss += value
        values.append(value)
    for key, value in zip(weights, values):
        print(key, value.item())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
