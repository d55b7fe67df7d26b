"""What cannot be translated within a method is reported at its line once, also where the method is written out in a caller."""

import torch
from torch import autograd
from torch.nn import functional as F


class Balancer:
    def __init__(self, weights, rescale_grads=True):
        self.weights = weights
        self.rescale_grads = rescale_grads

    def backward(self, losses, input: torch.Tensor):
        out_grad = 0
        for name, loss in losses.items():
            (grad,) = autograd.grad(loss, [input], retain_graph=True)  # T2J200
            if self.rescale_grads:
                grad = grad / grad.norm()
            out_grad += self.weights[name] * grad
        input.backward(out_grad)


def balanced():
    x = torch.zeros(1, requires_grad=True)
    first = 100 * F.l1_loss(x, -torch.ones_like(x))
    balancer = Balancer(weights={"1": 1}, rescale_grads=True)
    balancer.backward({"1": first}, x)
