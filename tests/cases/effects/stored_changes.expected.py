"""`found.append(x.mul_(2))`: changed first, and stored then."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import topk as torch_topk


def accuracy(output, target, topk=(1,)):
    _, predicted = torch_topk(output, max(topk), dim=1)
    predicted = predicted.T
    correct = predicted == jnp.broadcast_to(target.reshape(1, -1), predicted.shape)
    found = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).astype(jnp.float32).sum(axis=0, keepdims=True)
        correct_k = correct_k * (100.0 / target.shape[0])
        found.append(correct_k)
    return found


def case_in_a_loop(x, index):
    return accuracy(x, index, (1, 2))


def case_chain(v):
    found = []
    y = v.sum(axis=0)
    y = (y + 1) * 2
    found.append(y)
    return found, y


def case_stored_twice(v):
    found = []
    y = v * 1
    found.append(y)
    y = y + 1
    found[0] = y
    found.append(y)
    return found, y


def case_argument(v: jax.Array):
    found = []
    # torch2jax: T2J300 `case_argument` changes its argument `v` in place, and its callers would not see the change: call it as `v, result = case_argument(v)`
    v = v + 1  # T2J300
    found.append(v)
    return v, found


def case_view(x):
    found = []
    y = x * 1
    row = y[0]
    # torch2jax: T2J303 `row` is changed in place and may be shared with `a container, a field or a caller`
    row.mul_(2)  # T2J303
    found.append(row)
    return found, y
