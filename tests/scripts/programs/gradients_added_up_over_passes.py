# also: nnx, linen
"""Several backward passes over one graph: what they leave with a tensor is their sum, until it is emptied."""
import torch

x = torch.eye(3, 4, requires_grad=True)
out = (x + 1).pow(2).t()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"first {x.grad.tolist()}")
out.backward(torch.ones_like(out), retain_graph=True)
print(f"second {x.grad.sum().item()}")
x.grad.zero_()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"emptied {x.grad.sum().item()}")


def two(a, b):
    u = a.clone().requires_grad_()
    v = b.clone().requires_grad_()
    y = (u * v).sum()
    z = (u ** 2 * v).sum()
    y.backward()
    first = u.grad.clone()
    z.backward()
    return first.tolist(), u.grad.tolist(), v.grad.tolist()


print(two(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])))


def kept(a):
    u = a.clone().requires_grad_()
    (u ** 2).sum().backward()
    first = u.grad.sum().item()
    (u ** 3).sum().backward()
    second = u.grad.sum().item()
    u.grad = None
    (u ** 4).sum().backward()
    return first, second, u.grad.sum().item()


print(kept(torch.tensor([1.0, 2.0])))
