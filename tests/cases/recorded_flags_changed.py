import torch

x = torch.ones(2, requires_grad=True)
a = torch.ones(2)
b = a
b.requires_grad_()
print((a * 1).requires_grad)  # T2J203
total = torch.zeros(2)
total += x[0]
print((total * 1).requires_grad)  # T2J203
if x.sum() > 0:
    y = x * 2
else:
    y = x.detach()
print(y.requires_grad)  # T2J203


def halved(value):
    with torch.no_grad():
        half = value / 2
    return half.requires_grad
