"""What is inferred of values, as annotated source: `x = torch.zeros(2, 3)  #: f32[_, _]`, `y = x[0]  #: alias of x`."""

import re

import libcst as cst
import pytest

from torch2jax.explain import describe
from torch2jax.facts.infer import infer_values
from torch2jax.ops.tables import load_tables
from torch2jax.program.program import build_program
from torch2jax.syntax.walk import build_index

PROGRAMS = {
    "named tuples": """\
from collections import namedtuple

import torch

Step = namedtuple("Step", ["state", "reward"])
Named = namedtuple("Named", "a, b")
step = Step(torch.zeros(3), reward=1.0)
state = step.state  #: f32[_]
reward = step[1]  #: float 1.0
x, r = step
first = x  #: f32[_]
steps = [Step(torch.zeros(3), 0.5)]
steps.append(Step(torch.ones(3), 2.0))
last = steps[-1].state  #: f32[_]
batch = Step(*zip(*steps))
one = batch.state[0]  #: f32[_]
rewards = torch.tensor(batch.reward)  #: f32[_]
done = torch.tensor([item.reward > 1 for item in steps])  #: ?[_]
named = Named(b=1, a=torch.zeros(1, 1))
a = named.a  #: f32[_, _]
b = named.b  #: int 1
""",
    "tensors": """\
import torch
import torch.nn.functional as F
x = torch.zeros(2, 3)  #: f32[_, _]
n = torch.arange(4)  #: i64[_]
y = x.sum(dim=1)  #: f32[_]
z = (x > 0).any()  #: bool[]
w = n + x  #: f32[_, _]
h = F.hardswish(x)  #: f32[_, _]
s = x.shape  #: size
k = x.item()  #: float


def of_shape(u: torch.Tensor, v: torch.Tensor, w: torch.Tensor):
    b, t = u.shape
    tall = u  #: f32[_, _]
    b, *others = v.shape
    open_end = v  #: f32[...]
    w, c, d = w.size()
    number = w  #: int
    (n,) = v.size()
    flat = v  #: f32[_]
""",
    "modules": """\
import torch
from torch import nn
layer = nn.Linear(2, 3)  #: module torch.nn.Linear
net = nn.Sequential(layer, nn.ReLU())  #: module torch.nn.Sequential (module torch.nn.Linear, module torch.nn.ReLU)
params = layer.parameters()  #: parameters torch.nn.Linear
out = layer(torch.ones(4, 2))  #: f32[_, _]
""",
    "python": """\
import torch
parts = [torch.ones(2)]  #: list of f32[_]
parts.append(torch.ones(3))
first = parts[0]  #: f32[_]
pair = (1, "a")  #: tuple (int 1, str 'a')
table = {"a": 1.0}  #: dict of float 1.0
""",
    "aliases": """\
import torch
x = torch.zeros(2, 3)
row = x[0]  #: alias of x
flat = x.view(-1)  #: alias of x
copy = x.clone()  #: no alias of x
same = x  #: alias of x
new = x + 1  #: no alias of x
""",
    "gradients": """\
import torch
off = torch.no_grad()  #: context off
on = torch.set_grad_enabled(True)  #: context on
by_flag = torch.set_grad_enabled(flag)  #: context either
as_it_is = torch.inference_mode(False)  #: context as around
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_of_annotated_source(name: str) -> None:
    program = build_program(build_index(cst.parse_module(PROGRAMS[name])))
    values = infer_values(program, load_tables())
    bound = {
        node.value: node for node in program.index.names if isinstance(program.index.parents[node], cst.AssignTarget)
    }
    for target, wanted in re.findall(r"(?m)^(\w+) = .*  #: (.*)$", PROGRAMS[name]):
        value = values(bound[target])
        relation = re.fullmatch(r"(no )?alias of (\w+)", wanted)
        if relation is None:
            assert describe(value) == wanted, target
        else:
            assert bool(value.roots & values(bound[relation[2]]).roots) == (relation[1] is None), target
