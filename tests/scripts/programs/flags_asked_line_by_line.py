# also: linen
import torch

x = torch.randn(2, 2)
y = torch.randn(2, 2)
print(x.requires_grad, y.requires_grad)
z = x + y
x = x.requires_grad_()
y = y.requires_grad_()
print(z.requires_grad)
z = x + y
print(z.requires_grad)
new_z = z.detach()
print(new_z.requires_grad)
print(x.requires_grad)
print((x**2).requires_grad)
with torch.no_grad():
    print((x**2).requires_grad)
w = torch.ones(3)
print(w.requires_grad)
w.requires_grad_()
print(w.requires_grad, (w * 2).requires_grad)
w = torch.zeros(3)
print((w + 1).requires_grad)
