# also: nnx, linen
import torch as th
import torch.nn as nn
import torch.distributed as dist


def sync_params(params):
    """
    Synchronize a sequence of Tensors across ranks from rank 0.
    """
    for p in params:
        with th.no_grad():
            dist.broadcast(p, 0)


def norm_and_halve(params):
    total = 0.0
    for p in params:
        total += p.data.norm(2).item() ** 2
        p.data.mul_(0.5)
    return total ** 0.5


def fill_all(tensors, value):
    for t in tensors:
        t.data.fill_(value)


def main():
    model = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
    fill_all(model.parameters(), 0.25)
    print(norm_and_halve(model.parameters()))
    if dist.is_initialized():
        sync_params(model.parameters())
    a, b = th.zeros(2), th.ones(3)
    fill_all([a, b], 7.0)
    print(a.tolist(), b.tolist())
    print(model(th.ones(1, 3)).item())
    fill_all(list(model.parameters()), 0.125)
    print(model(th.ones(1, 3)).item())


main()
