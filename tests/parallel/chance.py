"""Random programs for several processes, put together of options that people combine."""

from __future__ import annotations

import random
from dataclasses import dataclass

_HEAD = '''"""A program for several processes."""

import contextlib
import os

import torch
import torch.distributed as dist
import torch.distributed.nn.functional
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
'''

_MODELS = {
    "plain": "nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)",
    "norm": "nn.Linear(3, 4), nn.LayerNorm(4), nn.ReLU(), nn.Linear(4, 2)",
    "statistics": "nn.Linear(3, 4, bias=False), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2)",
    "deep": "nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 4), nn.SiLU(), nn.Linear(4, 2)",
}
_OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)",
    "torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.01)",
    "torch.optim.Adam(model.parameters(), lr=0.02)",
    "torch.optim.AdamW(model.parameters(), lr=0.02, weight_decay=0.1)",
)
_TRAINED = "[p for p in model.parameters() if p.requires_grad]"
_FREEZING = (
    "model.layers[0].requires_grad_(False)",
    "for p in model.layers[0].parameters():\n    p.requires_grad = False",
    "for name, p in model.named_parameters():\n    p.requires_grad_(not name.startswith('layers.0.'))",
)
_LOSSES = ("F.mse_loss({y}, {t})", "F.l1_loss({y}, {t})", "({y} - {t}).pow(2).sum(dim=1).mean()", "F.smooth_l1_loss({y}, {t}, reduction='sum')", "apart({y}, {t})", "together({y}, {t})")  # fmt: skip
_CLIPPING = ("", "torch.nn.utils.clip_grad_norm_(model.parameters(), 0.3)", "torch.nn.utils.clip_grad_value_(model.parameters(), 0.05)")  # fmt: skip
_WRAPPING = ("", ", find_unused_parameters=True", ", static_graph=True", ", gradient_as_bucket_view=True")


@dataclass(slots=True)
class _Chance:
    """The choices of one program."""

    draw: random.Random
    lines: list[str]

    def one(self, *items: str) -> str:
        return self.draw.choice(items)

    def may(self, share: float = 0.5) -> bool:
        return self.draw.random() < share

    def add(self, text: str, depth: int = 1) -> None:
        self.lines += ["    " * depth + line for line in text.splitlines() if line.strip()]


def make_program(seed: int, world: int = 2) -> str:
    """A program that prints losses, metrics and a digest of the parameters of the first process, with rows for `world` of them."""
    chance = _Chance(random.Random(seed), [])
    kind = chance.one(*_MODELS)
    batch = max(4, world)
    rows = chance.draw.choice((8, 12, 13, 15, 16)) * batch // 4
    chance.add('dist.init_process_group("gloo")')
    chance.add(chance.one("rank, world = dist.get_rank(), dist.get_world_size()", _FROM_ENVIRONMENT))
    own = chance.may()
    chance.add(f"model = {'Net()' if own else f'nn.Sequential({_MODELS[kind]})'}\nfill(model)")
    if chance.may(0.2):
        chance.add(_CHECKPOINT)
    by_rank = chance.may(0.2)
    by_hand = kind != "statistics" and chance.may(0.2)
    accumulates = 1 if by_rank or by_hand else chance.draw.choice((1, 1, 2, 3))
    frozen = own and chance.may()
    if frozen:
        chance.add(chance.one(*_FREEZING))
    extra = "pass"  # a layer that the loss does not depend on
    if not by_hand:
        wrapping = [item for item in _WRAPPING if accumulates == 1 or "static" not in item]  # torch has a bug there
        wrapped = chance.one(*wrapping)
        chance.add(f"model = DistributedDataParallel(model{wrapped})")
        extra = chance.one("self.head = nn.Linear(2, 2)", "pass") if "unused" in wrapped else "pass"
    elif chance.may():
        chance.add("for p in model.parameters():\n    dist.broadcast(p.data, src=0)")
    optimizer = chance.one(*_OPTIMIZERS)
    if frozen and chance.may():
        optimizer = optimizer.replace("model.parameters()", _TRAINED)
    chance.add(f"optimizer = {optimizer}")
    scheduled = chance.may(0.3)
    if scheduled:
        chance.add("scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)")
    chance.add(
        f"x = torch.sin(torch.arange({rows} * 3, dtype=torch.float32)).reshape({rows}, 3)\nt = x[:, :2].cos() + x[:, 2:]"
    )
    if not by_rank:
        _add_loader(chance, kind)
    chance.add(f"for epoch in range({chance.one('2', '3')}):")
    chance.add("model.train()", 2)
    _add_epoch(chance, batch if by_rank else 0, by_hand, accumulates)
    if scheduled:
        chance.add("scheduler.step()", 2)
    if not by_rank and chance.may(0.5):
        _add_evaluation(chance)
    chance.add(_DIGEST.replace("model.module", "model") if by_hand else _DIGEST)
    if kind == "statistics" and chance.may():
        layers = "model.module.layers" if own else "model.module"
        chance.add(f"if rank == 0:\n    print(round({layers}[1].running_mean.sum().item(), 6))")
    chance.add("dist.destroy_process_group()")
    body = "\n".join(chance.lines)
    used = "".join(f"\n\n{text}" for name, text in _HELPERS.items() if f"{name}(" in body)
    used += f"\n\n{_NET.format(_MODELS[kind], extra)}" if own else ""
    return f'{_HEAD}\n\n{_FILL}{used}\n\ndef main():\n{body}\n\n\nif __name__ == "__main__":\n    main()\n'


_FROM_ENVIRONMENT = 'rank = int(os.environ["RANK"])\nworld = int(os.environ["WORLD_SIZE"])'
_FILL = """def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 1.3 + number).reshape(p.shape))
"""
_NET = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential({})

        {}

    def forward(self, x):
        return self.layers(x)
"""
_GATHERING = """
class {name}(nn.Module):
    def forward(self, y, t):
        {gathering}
        rows = torch.cat(parts)
        return (rows.mean(dim=0) - t.mean(dim=0)).pow(2).sum() + (y - t).abs().mean()


{function} = {name}()
"""
_APART = """parts = [torch.zeros_like(y) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, y.detach())
        parts[dist.get_rank()] = y"""
_TOGETHER = "parts = torch.distributed.nn.functional.all_gather(y)"
_HELPERS = {
    "apart": _GATHERING.format(name="Apart", function="apart", gathering=_APART),
    "together": _GATHERING.format(name="Together", function="together", gathering=_TOGETHER),
    "average_gradients": """def average_gradients(model):
    size = float(dist.get_world_size())
    for p in model.parameters():
        if p.grad is not None:
            dist.all_reduce(p.grad.data, op=dist.ReduceOp.SUM)
            p.grad.data /= size
""",
    "mean_of_all": """def mean_of_all(value):
    value = value.clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()
""",
}
_CHECKPOINT = """
place = os.path.join(os.getcwd(), "start.pt")
if rank == 0:
    torch.save(model.state_dict(), place)
dist.barrier()
model.load_state_dict(torch.load(place))
"""
_DIGEST = """
if rank == 0:
    for name, p in model.module.named_parameters():
        print(name, round(p.abs().sum().item(), 6), round(p.sum().item(), 6))
"""


def _add_loader(chance: _Chance, kind: str) -> None:
    dropping = chance.one("", ", drop_last=True")
    ranks = chance.one("", ", num_replicas=world, rank=rank")
    chance.add(f"data = TensorDataset(x, t)\nsampler = DistributedSampler(data{ranks}, shuffle=False{dropping})")
    size = chance.one("2", "3", "4")
    last = (
        ", drop_last=True" if kind == "statistics" else chance.one("", ", drop_last=True")
    )  # of one row there are none
    chance.add(f"loader = DataLoader(data, batch_size={size}, sampler=sampler{last})")


def _add_epoch(chance: _Chance, batch: int, by_hand: bool, accumulates: int) -> None:
    """The steps of an epoch, over a loader, or over batches of so many rows of which each process takes its own."""
    if batch:
        chance.add(f"for start in range(0, {2 * batch}, {batch}):", 2)
        chance.add(chance.one(_HALVES, _STRIDES).format(batch=batch), 3)
    else:
        if chance.may():
            chance.add("sampler.set_epoch(epoch)", 2)
        chance.add("for step, (a, b) in enumerate(loader):", 2)
    clipping = chance.one(*_CLIPPING)
    loss = chance.one(*_LOSSES).format(y="model(a)", t="b")
    if by_hand:
        clipping = f"{chance.one(*_AVERAGING)}\n{clipping}"
    if batch or accumulates == 1:
        chance.add(f"optimizer.zero_grad()\nloss = {loss}\nloss.backward()\n{clipping}\noptimizer.step()", 3)
    else:
        _add_accumulation(chance, accumulates, loss, clipping)
    _add_remark(chance)


_HALVES = "size = {batch} // world\na = x[start : start + {batch}][rank * size : (rank + 1) * size]\nb = t[start : start + {batch}][rank * size : (rank + 1) * size]"
_STRIDES = "a = x[start : start + {batch}][rank::world]\nb = t[start : start + {batch}].chunk(world)[rank]"


_AVERAGING = (
    "for p in model.parameters():\n    if p.grad is not None:\n        dist.all_reduce(p.grad)\n        p.grad /= world",
    "for p in model.parameters():\n    if p.requires_grad:\n        dist.all_reduce(p.grad.data, op=dist.ReduceOp.SUM)\n        p.grad.data.div_(world)",
    "average_gradients(model)",
)


def _add_accumulation(chance: _Chance, count: int, loss: str, clipping: str) -> None:
    ends = f"(step + 1) % {count} == 0"
    if chance.may():
        chance.add(f"with contextlib.nullcontext() if {ends} else model.no_sync():", 3)
        chance.add(f"loss = {loss} / {count}\nloss.backward()", 4)
    else:
        chance.add(f"loss = {loss} / {count}\nloss.backward()", 3)
    chance.add(f"if {ends}:", 3)
    chance.add(f"{clipping}\noptimizer.step()\noptimizer.zero_grad()", 4)


def _add_remark(chance: _Chance) -> None:
    """What is told of the loss of a step."""
    match chance.one("own", "mean", "sum", "none", *_TOLD):
        case "own":
            chance.add("if rank == 0:\n    print(round(loss.item(), 6))", 3)
        case "mean":
            chance.add(
                "told = loss.detach().clone()\ndist.all_reduce(told)\nif rank == 0:\n    print(round(told.item() / world, 6))",
                3,
            )
        case kind if kind in _TOLD:
            chance.add(_TOLD[kind], 3)
        case "sum":
            chance.add(
                "told = loss.detach()\ndist.all_reduce(told, op=dist.ReduceOp.MAX)\nif rank == 0:\n    print(round(told.item(), 6))",
                3,
            )


_PRINTING = "if rank == 0:\n    print(round({0}, 6))"
_TOLD = {
    "gathered": "parts = [torch.zeros_like(loss) for _ in range(world)]\ndist.all_gather(parts, loss.detach())\n"
    + _PRINTING.format("sum(parts).item() / len(parts)"),
    "objects": "parts = [None] * world\ndist.all_gather_object(parts, loss.item())\n" + _PRINTING.format("max(parts)"),
    "first": "told = loss.detach().clone()\ndist.broadcast(told, src=0)\n" + _PRINTING.format("told.item()"),
    "last": "told = loss.detach().clone()\ndist.broadcast(told, src=world - 1)\n" + _PRINTING.format("told.item()"),
    "reduced": "told = loss.detach().clone()\ndist.reduce(told, dst=0)\n" + _PRINTING.format("told.item() / world"),
    "scattered": "told = torch.zeros(1)\ndist.reduce_scatter_tensor(told, torch.stack([loss.detach()] * world))\n"
    + _PRINTING.format("told.item()"),
    "collected": "parts = [torch.zeros_like(loss) for _ in range(world)] if rank == 0 else None\n"
    "dist.gather(loss.detach(), parts, dst=0)\n" + _PRINTING.format("max(parts).item()"),
    "helped": _PRINTING.format("mean_of_all(loss.detach()).item()").replace("if rank == 0:\n    ", ""),
}


def _add_evaluation(chance: _Chance) -> None:
    """Metrics of the shares of all processes."""
    chance.add("model.eval()\ntotal, count = 0.0, 0", 2)
    chance.add("with torch.no_grad():\n    for a, b in loader:", 2)
    chance.add("total += F.mse_loss(model(a), b, reduction='sum').item()\ncount += a.size(0)", 4)
    chance.add("metric = torch.tensor([total, float(count)])", 2)
    chance.add("dist.all_reduce(metric)\nif rank == 0:\n    print(round((metric[0] / metric[1]).item(), 6))", 2)


__all__ = ["make_program"]
