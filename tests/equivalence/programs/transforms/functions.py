"""Functions made from functions: torch.func and torch.autograd.functional."""

import torch
import torch.nn.functional as F
from torch.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp, vmap
from torch.autograd.functional import hessian as afh
from torch.autograd.functional import jacobian, hvp
from torch.autograd.functional import vjp as afvjp


def predict(w, b, x):
    return F.linear(x, w, b).tanh()


def loss(w, b, x, y):
    return ((predict(w, b, x) - y) ** 2).sum(dim=-1)


def dot(a, b):
    return (a * b).sum()


def per_sample(w, b, xs, ys):
    g = vmap(grad(loss, argnums=(0, 1)), in_dims=(None, None, 0, 0))(w, b, xs, ys)
    return g


def many(x, v):
    a = vmap(dot)(x, v)
    b = vmap(dot, in_dims=(1, 1))(x, v)
    c = grad(lambda z: z.sin().sum())(x)
    d, e = grad_and_value(lambda z: (z ** 3).sum())(x)
    f = jacrev(torch.sin)(v[0])
    g = jacfwd(lambda z: z.cumsum(dim=0))(v[0])
    h = hessian(lambda z: (z ** 4).sum())(v[0])
    out, fn = vjp(lambda z: z.exp(), x)
    (i,) = fn(v)
    j, k = jvp(lambda z: z.exp(), (x,), (v,))
    k2, m = linearize(torch.tanh, x)
    n = m(v)
    o = jacobian(lambda z: z.sum(dim=1), x)
    p = afh(lambda z: (z ** 3).sum(), v[0])
    q, r = hvp(lambda z: (z ** 3).sum(), x, v)
    s, t = afvjp(lambda z: z.sum(dim=1), x, v[:, 0])
    return a, b, c, d, e, f, g, h, out, i, j, k, k2, n, o, p, q, r, s, t
