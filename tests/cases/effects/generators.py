"""`torch.Generator`: streams of their own, wherever they are made, kept and handed to."""

from typing import Optional

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def case_repeats():
    g = torch.Generator().manual_seed(0)
    a = torch.rand(3, generator=g)
    h = torch.Generator()
    h.manual_seed(0)
    b = torch.rand(3, generator=h)
    c = torch.rand(3, generator=h)
    return torch.equal(a, b), (b == c).any()


def case_seeded_again():
    g = torch.Generator()
    g.manual_seed(1)
    a = torch.randn(3, generator=g)
    g.manual_seed(1)
    b = torch.randn(3, generator=g)
    return (a == b).all()


def shuffled(g: torch.Generator, n: int):
    return torch.randperm(n, generator=g)


def case_handed_over():
    g = torch.Generator().manual_seed(0)
    first = shuffled(g, 20)
    second = shuffled(g, 20)
    return (first == second).all(), torch.sort(first).values


def case_does_not_touch_others():
    g = torch.Generator().manual_seed(0)
    torch.manual_seed(3)
    a = torch.rand(2)
    torch.manual_seed(3)
    torch.rand(2, generator=g)
    b = torch.rand(2)
    return (a == b).all()


def noisy(x: Tensor, generator: Optional[torch.Generator] = None):
    return x + torch.randn(x.shape, generator=generator)


def case_perhaps_none(x: Tensor):
    a = noisy(x, torch.Generator().manual_seed(7))
    b = noisy(x, generator=torch.Generator().manual_seed(7))
    return torch.equal(a, b), (a == noisy(x)).any(), (noisy(x) == noisy(x)).any()


def randn_tensor(shape, generator=None, device=None, dtype=None):
    if isinstance(generator, list):
        shape = (1,) + shape[1:]
        latents = [torch.randn(shape, generator=generator[i], dtype=dtype) for i in range(len(generator))]
        return torch.cat(latents, dim=0)
    return torch.randn(shape, generator=generator, dtype=dtype)


def case_list_of_generators():
    gs = [torch.Generator().manual_seed(i) for i in range(2)]
    a = randn_tensor((2, 3), gs)
    hs = [torch.Generator().manual_seed(i) for i in range(2)]
    return (a == randn_tensor((2, 3), generator=hs)).all(), (a[0] == a[1]).any()


class Sampler:
    def __init__(self, seed: int = 0):
        self.generator = torch.Generator()
        self.generator.manual_seed(seed)

    def sample(self, n: int):
        return torch.randint(0, 1000, (n,), generator=self.generator)

    def __iter__(self):
        for _ in range(3):
            yield torch.rand(2, generator=self.generator)


def case_field():
    s = Sampler(1)
    a, b = s.sample(8), s.sample(8)
    c = Sampler(1).sample(8)
    return (a == b).all(), (a == c).all(), len([x for x in s])


def case_in_place():
    g = torch.Generator().manual_seed(0)
    a = torch.empty(4).uniform_(2, 3, generator=g)
    b = torch.empty(4).normal_(generator=g)
    c = torch.zeros(4).bernoulli_(0.5, generator=g)
    return (a >= 2).all(), (a == b).any(), c.shape


def case_given_at_once():
    a = torch.rand(3, generator=torch.Generator().manual_seed(5))
    b = torch.rand(3, generator=torch.Generator().manual_seed(5))
    return (a == b).all()


def case_state():
    g = torch.Generator().manual_seed(0)
    torch.rand(2, generator=g)
    state = g.get_state()
    a = torch.rand(2, generator=g)
    g.set_state(state)
    b = torch.rand(2, generator=g)
    return (a == b).all()


def case_initialisation():
    g = torch.Generator().manual_seed(0)
    w = torch.empty(3, 4)
    nn.init.xavier_uniform_(w, generator=g)
    v = torch.empty(3, 4)
    nn.init.normal_(v, 0.0, 0.02, generator=torch.Generator().manual_seed(1))
    return w.abs().max() < 1, v.shape


def case_split():
    data = TensorDataset(torch.arange(10.0))
    a, b = random_split(data, [7, 3], generator=torch.Generator().manual_seed(42))
    c, d = random_split(data, [7, 3], generator=torch.Generator().manual_seed(42))
    return len(a), len(b), [float(x[0]) for x in a] == [float(x[0]) for x in c]


def case_loader():
    g = torch.Generator().manual_seed(0)
    data = TensorDataset(torch.arange(64.0))
    loader = DataLoader(data, batch_size=64, shuffle=True, generator=g)
    (a,) = next(iter(loader))
    (b,) = next(iter(loader))
    return bool((a == b).all()), float(a.sum())


def case_loop(n: int):
    g = torch.Generator().manual_seed(0)
    draws = [torch.rand(2, generator=g) for _ in range(n)]
    while torch.rand((), generator=g) < 0.5:
        draws.append(torch.rand(2, generator=g))
    return (draws[0] == draws[1]).any()


def case_closure():
    g = torch.Generator().manual_seed(0)

    def draw():
        return torch.rand(2, generator=g)

    f = lambda: torch.rand(2, generator=g)
    return (
        (draw() == draw()).any(),
        (f() == f()).any(),
        list(map(lambda i: torch.rand(2, generator=g), range(2)))[0].shape,
    )


def seeded(seed: Optional[int] = None):
    g = None
    if seed is not None:
        g = torch.Generator().manual_seed(seed)
    return torch.rand(2, generator=g)


def case_made_perhaps(flag: bool):
    g = torch.Generator().manual_seed(3) if flag else None
    return (seeded(1) == seeded(1)).all(), (seeded() == seeded()).any(), torch.rand(2, generator=g).shape


def case_two_names():
    g = torch.Generator().manual_seed(0)
    h = g
    return (torch.rand(2, generator=g) == torch.rand(2, generator=h)).any()


def case_default_generator():
    return torch.rand(2, generator=torch.default_generator)  # T2J201


def case_seeded_by_nobody():
    g = torch.Generator()
    g.seed()  # T2J203
    return torch.rand(2, generator=g)
