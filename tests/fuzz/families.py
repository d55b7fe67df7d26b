"""Families of small programs, put together from tables: how a tensor is seen, held or made, where it is changed, what is read,
how one variable becomes another, what loops change, what changes within expressions, modules with state, functions that
change models, and loops that train them.

`python -m tests.fuzz.families holders --seed 3 --count 2000` tries so many of one family. They are quicker than the programs
of `generate`, and go through the combinations of few things at once. Of `types`, one in thirty fails for what
`docs/limits.md` says of types that nothing tells; the failures are to be read for others.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import tests.conftest  # noqa: F401 - XLA as in the tests
from tests.fuzz import expressions as inside
from tests.fuzz import models as changing
from tests.fuzz import states as stateful
from tests.fuzz import training as loops_of
from tests.fuzz.flows import FLOWS
from tests.fuzz.generate import Program
from tests.fuzz.loops import CHANGES, DICTS, LISTS, RESULTS, THROUGH_DICTS, THROUGH_LISTS
from tests.fuzz.running import FAILURES, judge

_BATCH = 40

_VIEWS = (
    "x[0]",
    "x[1:]",
    "x[:, 1]",
    "x[::2]",
    "x.t()",
    "x.view(-1)",
    "x.reshape(-1)",
    "x.reshape(3, 4).t()",
    "x.detach()",
    "x.data",
    "x",
    "x.unsqueeze(0)",
    "x[None]",
    "x[..., 1:3]",
    "x.narrow(1, 0, 2)",
    "x.select(0, 1)",
    "x.chunk(2)[0]",
    "x.unbind(0)[1]",
    "x.split(2)[1]",
    "x.permute(1, 0)",
    "x.transpose(0, 1)[1]",
    "x.flatten()",
    "x.T",
    "x.diagonal()",
    "x.expand(4, 3)",
    "x.contiguous()",
    "x.float()",
    "x.to(torch.float32)",
    "x.view(2, 6)",
    "x.squeeze()",
    "x.clone()",
    "x * 1",
    "x.view_as(x)",
    "x.flip(0)",
    "x[torch.tensor([0, 1])]",
    "torch.atleast_2d(x)",
    "x.unflatten(1, (1, 3))",
    "x.movedim(0, 1)",
    "x.swapaxes(0, 1)",
    "torch.flatten(x)",
    "torch.ravel(x)",
    "x.ravel()",
    "x.mT",
    "x.requires_grad_(False)",
    "x.type(torch.float32)",
    "torch.as_tensor(x)",
    "torch.asarray(x)",
    "torch.squeeze(x)",
    "x.real",
    "torch.narrow(x, 0, 1, 2)",
    "x.cpu()",
    "x.unfold(0, 2, 1)[0]",
    "x.hsplit(3)[1]",
    "x.tensor_split(2)[0]",
    "x.take_along_dim(torch.zeros(4, 1, dtype=torch.long), 1)",
    "x if flag else x[1:]",
    "(x, 1)[0]",
    "[x][0]",
    "{'a': x}['a']",
    "x[flag]",
    "x[int(flag)]",
    "x[n]",
    "x[n:]",
    "x[:-n]",
)  # of `x`, which is 4x3
_CHANGES = (
    "{t} += 1",
    "{t}.add_(2)",
    "{t}[...] = 3.0",
    "{t}[0] = 5.0",
    "{t} *= {t}",
    "{t}.zero_()",
    "{t}.copy_({t} * 2)",
    "{t}.mul_(y.sum())",
    "{t}[0] += 1",
    "{t}[{t} > 0] = -1.0",
    "{t}.clamp_(max=0.5)",
    "{t}.fill_(2).add_(1)",
    "{t}[-1].zero_()",
    "torch.relu_({t})",
    "torch.mul({t}, 2, out={t})",
    "{t} = {t} + 1",
    "{t} = {t}.clone(); {t} += 1",
    "{t}.neg_()",
    "{t}.masked_fill_({t} > 0.2, 4.0)",
    "{t}[::2] -= 1",
    "{t}.data.add_(1)",
    "{t}.detach().mul_(3)",
    "{t}[1:].neg_()",
    "{t}.T.add_(1)",
    "{t}, z = {t}.add_(1), 2",
    "w = {t}.add_(1)",
    "w = {t}[0]; w += 1",
    "w = z = {t}; w -= 1",
    "{t}.abs_().sqrt_()",
    "change({t})",
    "change({t}[0])",
    "{t} = change({t})",
    "w = change({t}); w *= 2",
    "keep.append({t}); keep[-1].add_(1)",
    "keep.append({t}); keep[0] += 1",
    "d = dict(a={t}); d['a'] *= 2",
    "d = {{'a': {t}}}; d['a'].mul_(2)",
    "holder.t = {t}; holder.t += 1",
    "holder.t = {t}; holder.t.mul_(2)",
    "(lambda q: q.add_(1))({t})",
    "for r in {t}: r += 1",
    "for r in {t}:\n    r.mul_(2)",
    "for i, r in enumerate({t}):\n    r.add_(i)",
    "for i in range(2):\n    {t}[i] += i",
    "[r.add_(1) for r in {t}]",
    "{t}.index_add_(0, torch.tensor([0]), {t}[:1] * 2)",
    "{t}.apply_(lambda v: v + 1)",
    "{t}.set_({t} * 2)",
    "{t}.swapaxes_(0, -1).add_(1)",
    "{t}.unsqueeze_(0).add_(1)",
    "{t}.t_().mul_(2)",
    "{t}.squeeze_().add_(1)",
    "{t}.requires_grad_(False).add_(1)",
)  # of `{t}`
_PLACES = (
    "{w}",
    "if flag:\n    {w}",
    "if flag:\n    y = y + 1\nelse:\n    {w}",
    "for _ in range(2):\n    {w}",
    "k = 0\nwhile k < 2:\n    {w}\n    k += 1",
    "with torch.no_grad():\n    {w}",
    "try:\n    {w}\nfinally:\n    y = y + 1",
    "if float(y.sum()) > 0:\n    {w}",
    "for _ in range(n):\n    {w}",
    "for q in range(3):\n    if q == 1:\n        continue\n    {w}",
    "while True:\n    {w}\n    break",
    "if n > 1:\n    {w}\n    return x, v",
    "if not flag:\n    v = v + 1\n{w}",
    "if flag:\n    v = x[1:]\n{w}",
    "if flag:\n    x = x * 2\n{w}",
    "if flag:\n    v = x\n{w}",
    "for q in range(2):\n    {w}\n    v = x[q]",
    "for q in range(2):\n    {w}\n    x = x * 2",
    "u = v\n{w}\nv = u",
    "u = x\nx = x + 1\n{w}\nx = u + x",
    "x, v = v, x\n{w}",
    "u, v = v, x\n{w}\nx = x + u.sum()",
    "u = [x, v]\n{w}\nx = u[0] + u[1].sum()",
    "u = (x, v)\n{w}\nx = u[0] + u[1].sum()",
    "u = {'x': x, 'v': v}\n{w}\nx = u['x'] + u['v'].sum()",
    "u = v[0]\n{w}\nx = x + u.sum()",
    "u = v.view(-1)\n{w}\nx = x + u.sum()",
    "u = lambda: v.sum()\n{w}\nx = x + u()",
    "def u():\n    return v.sum()\n{w}\nx = x + u()",
    "u = v.sum\n{w}\nx = x + u()",
    "u = iter(v)\n{w}\nx = x + next(u).sum()",
    "u = v if flag else y\n{w}\nx = x + u.sum()",
    "u = v.T\n{w}\nu = u + 1\nx = x + u.sum()",
    "if flag:\n    u = v\nelse:\n    u = v + 1\n{w}\nx = x + u.sum()",
    "match n:\n    case 1:\n        {w}\n    case _:\n        x += 1",
    "assert n\n{w}",
    "del y\n{w}",
    "kept.append(v)\n{w}\nx = x + kept.pop().sum()",
    "u = zip(x, v)\n{w}\nx = x + next(u)[0].sum()",
    "u = [r for r in v]\n{w}\nx = x + u[0].sum()",
    "u = list(v)\n{w}\nx = x + u[0].sum()",
    "u, *_ = v\n{w}\nx = x + u.sum()",
    "first = v[0]\n{w}\nfirst += 1",
    "u = x\n{w}\nu += 1",
    "u = v\n{w}\nu *= 2",
    "u = v.detach()\n{w}\nu.add_(1)",
    "u = x.sum()\n{w}\nx = x + u",
    "u = v.tolist()\n{w}\nx = x + torch.tensor(u).sum()",
    "if flag:\n    pass\n{w}\nif flag:\n    x += 1\nelse:\n    v += 1",
    "for r in x:\n    {w}\n    y = y + r.sum()\nx = x + y.sum()",
    "for r in (x, v):\n    {w}\n    y = y + r.sum()\nx = x + y.sum()",
)  # where a change `{w}` stands, and what is done around it
_RESULTS = (
    "return x, v",
    "return x",
    "return v",
    "return x + 1, v * 2",
    "return (x.sum(), v.sum())",
    "return v.sum() + x.sum()",
    "return [x, v]",
    "return x.clone(), v",
)  # what is read in the end
_HOLDERS = (
    ("h = [x]", "h[0]"),
    ("h = [x, y]\nh.reverse()", "h[1]"),
    ("h = [y]\nh.insert(0, x)", "h[0]"),
    ("h = [y]\nh.extend([x])", "h[1]"),
    ("h = [y] + [x]", "h[1]"),
    ("h = [y]\nh += [x]", "h[1]"),
    ("h = {'a': x}", "h['a']"),
    ("h = dict(a=x)", "h['a']"),
    ("h = {}\nh['a'] = x", "h['a']"),
    ("h = {}\nh.setdefault('a', x)", "h['a']"),
    ("h = {}\nh.update(a=x)", "h['a']"),
    ("h = {}\nh.update({'a': x})", "h['a']"),
    ("h = {**{'a': x}}", "h['a']"),
    ("h = {'a': y} | {'a': x}", "h['a']"),
    ("h = [*[x], y]", "h[0]"),
    ("h = (x, y)", "h[0]"),
    ("h = (x,) * 2", "h[1]"),
    ("h = [x] * 2", "h[1]"),
    ("h = list((x, y))", "h[0]"),
    ("h = tuple([x, y])", "h[0]"),
    ("h = sorted([x], key=len)", "h[0]"),
    ("h = [t for t in (x, y)]", "h[0]"),
    ("h = {k: t for k, t in zip('ab', (x, y))}", "h['a']"),
    ("h = list(zip((x, y), (y, x)))", "h[0][0]"),
    ("h = list(enumerate([x, y]))", "h[0][1]"),
    ("h = list(map(lambda t: t, [x]))", "h[0]"),
    ("h = list(filter(lambda t: True, [x]))", "h[0]"),
    ("h = [[x], [y]]", "h[0][0]"),
    ("h = {'a': {'b': x}}", "h['a']['b']"),
    ("h = {'a': [y, x]}", "h['a'][1]"),
    ("h = ([x], y)", "h[0][0]"),
    ("h = x", "h"),
    ("h = x.view(-1)", "h"),
    ("h = x[0]", "h"),
    ("h = x.t()", "h"),
    ("h = x if flag else y", "h"),
    ("h = y\nif flag:\n    h = x", "h"),
    ("h = x or y if False else x", "h"),
    ("h = (x, y)[0]", "h"),
    ("h = [x, y][0]", "h"),
    ("h, _ = x, y", "h"),
    ("h, *_ = [x, y]", "h"),
    ("*_, h = [y, x]", "h"),
    ("(h, _), _ = (x, y), 1", "h"),
    ("h = _ = x", "h"),
    ("(h := x)", "h"),
    ("h = lambda: x", "h()"),
    ("h = lambda t=x: t", "h()"),
    ("def h():\n    return x", "h()"),
    ("def h(t=x):\n    return t", "h()"),
    ("def k():\n    return x\nh = k()", "h"),
    ("def k(t):\n    return t\nh = k(x)", "h"),
    ("def k(t):\n    return t, 1\nh, _ = k(x)", "h"),
    ("def k(t):\n    return [t]\nh = k(x)", "h[0]"),
    ("def k(t):\n    return {'a': t}\nh = k(x)", "h['a']"),
    ("def k(t):\n    return t.view(-1)\nh = k(x)", "h"),
    ("def k(t):\n    return t[0]\nh = k(x)", "h"),
    ("def k(*t):\n    return t\nh = k(x, y)", "h[0]"),
    ("def k(**t):\n    return t\nh = k(a=x)", "h['a']"),
    ("def k(t):\n    yield t\nh = list(k(x))", "h[0]"),
    ("def k(t):\n    def j():\n        return t\n    return j\nh = k(x)", "h()"),
    ("h = iter([x])\nh = next(h)", "h"),
    ("h = [x].pop()", "h"),
    ("h = {'a': x}.get('a')", "h"),
    ("h = {'a': x}.pop('a')", "h"),
    ("h = list({'a': x}.values())", "h[0]"),
    ("h = [t for _, t in {'a': x}.items()][0]", "h"),
    ("for h in (x,):\n    pass", "h"),
    ("for h in [y, x]:\n    pass", "h"),
    ("for _, h in enumerate([y, x]):\n    pass", "h"),
    ("for h, _ in zip([x], [y]):\n    pass", "h"),
    ("for h in {'a': x}.values():\n    pass", "h"),
    ("with torch.no_grad():\n    h = x", "h"),
    ("try:\n    h = x\nexcept ValueError:\n    h = y", "h"),
    ("h = x\nwhile False:\n    h = y", "h"),
    ("match n:\n    case 1:\n        h = x\n    case _:\n        h = x[0]", "h"),
    ("class K:\n    pass\nh = K()\nh.t = x", "h.t"),
    ("class K:\n    def __init__(self, t):\n        self.t = t\nh = K(x)", "h.t"),
    ("class K:\n    t = x\nh = K", "h.t"),
    ("from types import SimpleNamespace\nh = SimpleNamespace(t=x)", "h.t"),
    ("from collections import deque\nh = deque([x])", "h[0]"),
    ("from collections import OrderedDict\nh = OrderedDict(a=x)", "h['a']"),
    ("from collections import defaultdict\nh = defaultdict(list)\nh['a'].append(x)", "h['a'][0]"),
    ("import itertools\nh = list(itertools.chain([x], [y]))", "h[0]"),
    ("import functools\nh = functools.partial(lambda t: t, x)", "h()"),
    ("from dataclasses import dataclass\n@dataclass\nclass K:\n    t: Tensor\nh = K(x)", "h.t"),
    ("import copy\nh = copy.copy([x])", "h[0]"),
    ("import copy\nh = copy.copy(x)", "h"),
    ("import copy\nh = copy.deepcopy(x)", "h"),
    ("h = nn.Identity()(x)", "h"),
    ("h = nn.Flatten(0)(x)", "h"),
    ("h = nn.Sequential(nn.Identity())(x)", "h"),
    ("h = F.dropout(x, 0.5, False)", "h"),
    ("h = torch.nn.Parameter(x)", "h"),
    ("h = nn.Module()\nh.t = x", "h.t"),
    ("h = nn.ParameterList([x])", "h[0]"),
    ("h = torch.broadcast_tensors(x, y)[0]", "h"),
    ("h = torch.atleast_1d(x)", "h"),
    ("h = x.chunk(2)", "h[0]"),
    ("h = x.unbind(0)", "h[0]"),
    ("h = list(x)", "h[0]"),
    ("h, *_ = x", "h"),
    ("h = x.split([1, 1])", "h[1]"),
    ("h = torch.unbind(x)[1]", "h"),
    ("h = [r for r in x]", "h[0]"),
    ("for h in x:\n    pass", "h"),
    ("h = x.data", "h"),
    ("h = x.detach()", "h"),
    ("h = x.expand(2, 2, 3)", "h"),
    ("h = torch.as_tensor(x)", "h"),
    ("h = x.__getitem__(0)", "h"),
    ("h = torch.Tensor.view(x, -1)", "h"),
    ("h = torch.Tensor.add_(x, 0)", "h"),
    ("h = x.add_(0)", "h"),
    ("h = x.requires_grad_(False)", "h"),
    ("h = x.to('cpu')", "h"),
    ("h = x.float()", "h"),
    ("h = x.type(torch.float32)", "h"),
    ("h = +x", "h"),
    ("h = x.contiguous()", "h"),
    ("h = x[...]", "h"),
    ("h = x[:, :]", "h"),
    ("h = x[:]", "h"),
    ("h = x[None][0]", "h"),
    ("h = x.view(2, 3).view(3, 2)", "h"),
    ("h = (lambda t: t)(x)", "h"),
    ("h = (lambda t: t.view(-1))(x)", "h"),
    ("h = [lambda: x][0]", "h()"),
    ("h = dict(zip('a', [x]))", "h['a']"),
    ("h = {0: x}", "h[0]"),
    ("h = [y, y]\nh[0] = x", "h[0]"),
    ("h = [y, y]\nh[:1] = [x]", "h[0]"),
    ("h = [None] * 2\nh[1] = x", "h[1]"),
    ("h = []\nfor t in (x, y):\n    h.append(t)", "h[0]"),
    ("h = {}\nfor k, t in (('a', x), ('b', y)):\n    h[k] = t", "h['a']"),
    ("h = []\nif flag:\n    h.append(x)\nelse:\n    h.append(x + 0)", "h[0]"),
    ("h = [x]\ng = h\nh = g", "h[0]"),
    ("h = [x]\ng = h[:]\nh = g", "h[0]"),
    ("h = [x]\nh = h.copy()", "h[0]"),
    ("h = {'a': x}\nh = dict(h)", "h['a']"),
    ("h = {'a': x}\nh = h.copy()", "h['a']"),
    ("global_list.append(x)\nh = global_list", "h[-1]"),
)  # what makes something hold `x`, and how it is read from there
_WRITES = (
    "{t} += 1",
    "{t}.add_(1)",
    "{t}[0] = 5.0",
    "{t}.mul_(2)",
    "{t}.zero_()",
    "{t}[...] = 2.0",
    "{t}.copy_({t} * 3)",
    "{t}[0].fill_(7.0)",
    "{t}.view(-1)[0] = 9.0",
    "{t}.data.add_(1)",
    "torch.add({t}, 1, out={t})",
    "for i in range(2):\n    {t}.add_(i)",
    "if flag:\n    {t} += 1",
    "def w():\n    {t}.add_(1)\nw()",
    "(lambda: {t}.add_(1))()",
    "[{t}.add_(1) for _ in range(2)]",
    "with torch.no_grad():\n    {t} *= 2",
    "{t} -= {t} * 0.5",
    "{t}.clamp_(0)",
    "F.relu({t}, inplace=True)",
    "q = {t}\nq += 1",
    "q = {t}.view(-1)\nq += 1",
    "q = [{t}]\nq[0] += 1",
    "q = {t}[0]\nq.mul_(3)",
    "def w(t):\n    t.add_(1)\nw({t})",
    "def w(t):\n    t[0] = 3.0\n    return t\nw({t})",
    "{t} = {t}.mul_(2)",
)  # of `{t}`, a held tensor
_MADE = (
    "x",
    "i",
    "m",
    "h",
    "u8",
    "x[0]",
    "x.sum()",
    "i.sum()",
    "i.max()",
    "m.sum()",
    "m.any()",
    "u8.sum()",
    "h.sum()",
    "x.mean()",
    "2",
    "2.5",
    "True",
    "n",
    "float(n)",
    "torch.tensor(2)",
    "torch.tensor(2.5)",
    "torch.tensor(True)",
    "torch.tensor([1, 2, 3])",
    "torch.tensor([1.0, 2, 3])",
    "torch.zeros(3)",
    "torch.ones(3, dtype=torch.int32)",
    "torch.arange(3)",
    "torch.arange(3.0)",
    "torch.arange(0, 1.5, 0.5)",
    "torch.full((3,), 2)",
    "torch.full((3,), 2.0)",
    "torch.full((3,), True)",
    "torch.linspace(0, 1, 3)",
    "torch.eye(3)",
    "x > 0",
    "i == 1",
    "x.int()",
    "x.long()",
    "x.half()",
    "x.bool()",
    "i.float()",
    "i.double()",
    "x / 2",
    "i / 2",
    "i // 2",
    "i ** 2",
    "x.argmax()",
    "x.argmax(0)",
    "x.topk(2)[1]",
    "x.sort().indices",
    "x.max(0).values",
    "x.shape[0]",
    "x.numel()",
    "x.sum().item()",
    "i.sum().item()",
    "len(x)",
    "x.round()",
    "x.sign()",
    "i.sign()",
    "torch.where(m, x, i)",
    "torch.where(m, 1, 0)",
    "torch.where(m, 1.0, x)",
    "m * 1",
    "m * 1.0",
    "m + m",
    "~m",
    "m & True",
    "i & 1",
    "i << 1",
    "i % 2",
    "x % 2",
    "x.clamp(0)",
    "i.clamp(0)",
    "i.clamp(0.5)",
    "x.new_tensor(3)",
    "x.new_zeros(3)",
    "i.new_ones(3)",
    "torch.zeros_like(i)",
    "torch.ones_like(x, dtype=torch.bool)",
    "torch.stack([i, i])",
    "torch.cat([x, x])",
    "torch.cat([i, x])",
    "i.cumsum(0)",
    "m.cumsum(0)",
    "u8 + 1",
    "u8 * 2.0",
    "h + 1",
    "h * x",
    "u8 + i",
    "i.prod()",
    "m.float().mean()",
    "i.float().mean()",
    "x.std()",
    "i.abs()",
    "-i",
    "i.bool()",
    "torch.bincount(i.abs())",
    "torch.nonzero(x)",
    "x.count_nonzero()",
    "torch.logical_not(x)",
    "x.isnan()",
    "x.softmax(0)",
    "torch.sigmoid(i)",
    "torch.exp(i)",
    "torch.sqrt(u8)",
    "i.norm(dtype=torch.float32)",
    "x.dot(x)",
    "x @ x",
    "torch.outer(x, x)[0]",
    "i.type(torch.float16)",
    "torch.as_tensor(2)",
    "torch.as_tensor(2.5)",
    "torch.scalar_tensor(3)",
    "torch.empty(3).fill_(2)",
    "x.to(i)",
    "i.to(x)",
    "i.type_as(x)",
    "torch.floor(x)",
    "torch.trunc(i)",
    "math.sqrt(2)",
    "torch.finfo(torch.float32).eps",
    "torch.inf",
    "x.tolist()[0]",
    "i.tolist()[1]",
    "torch.bucketize(x, x.sort().values)",
    "x.histc(3)",
    "i.unique()",
    "i.diff()",
    "x.float()",
    "x.double()",
    "1 + x.sum()",
    "2 * i.sum()",
    "x.sum() > 1",
    "(x > 1).sum()",
    "(x > 1).float()",
    "m.int()",
    "x.to(torch.bfloat16)",
    "i.to(torch.uint8)",
    "i.to(torch.int8)",
    "torch.tensor(1, dtype=torch.uint8)",
    "torch.tensor(1.5, dtype=torch.float16)",
    "torch.tensor([1.5], dtype=torch.float64)",
)  # tensors and numbers of all types
_JOINED = (
    "a = {1}",
    "if flag:\n    a = {1}\nelse:\n    a = {2}",
    "a = {1}\nif flag:\n    a = {2}",
    "a = {1} if flag else {2}",
    "a = {1}\nfor _ in range(2):\n    a = a + {2}",
    "a = {1}\nfor _ in range(2):\n    a = {2}",
    "a = [{1}, {2}][int(flag)]",
    "a = {{'p': {1}, 'q': {2}}}['p']",
    "a, c = {1}, {2}",
    "a = {1}\nwhile flag:\n    a = {2}\n    flag = False",
    "a = [{1}, {2}][n]",
    "a = sum([{1}, {2}])",
    "a = max({1}, {2}) if flag else {1}",
    "def g(q):\n    return q\na = g({1})",
    "def g(q, c=2):\n    return q * c\na = g({1}, {2})",
    "g = lambda q: q + {2}\na = g({1})",
    "for a in ({1}, {2}):\n    pass",
    "a = [q + 1 for q in ({1}, {2})][0]",
    "a = {1}\ntry:\n    a = a + 1\nfinally:\n    a = a * {2}",
    "a = None\nif flag:\n    a = {1}\nelse:\n    a = {2}",
    "def g(q):\n    if flag:\n        return {1}\n    return {2}\na = g(1)",
)  # how `a` is made of two of them
_OPERATIONS = (
    "a + b",
    "b - a",
    "a * b",
    "a / b",
    "a // b",
    "a % b",
    "a ** 2",
    "2 ** a",
    "a == b",
    "a < b",
    "a != b",
    "torch.where(m, a, b)",
    "torch.where(m, b, a)",
    "torch.add(x, a)",
    "x + a",
    "i + a",
    "i * a",
    "m * a",
    "u8 * a",
    "u8 + a",
    "h * a",
    "h + a",
    "i - a",
    "i / a",
    "i // a",
    "x // a",
    "torch.full_like(x, a)",
    "torch.full_like(i, a)",
    "torch.tensor([a, b])",
    "torch.tensor(a)",
    "torch.as_tensor(a)",
    "x.clamp(max=a)",
    "i.clamp(max=a)",
    "x.masked_fill(m, a)",
    "i.masked_fill(m, a)",
    "x.new_tensor(a)",
    "torch.zeros(3) + a",
    "torch.stack([a, b])",
    "torch.cat([a, b])",
    "a.sum()",
    "a.mean()",
    "a.float()",
    "a.to(b.dtype)",
    "a.type_as(b)",
    "a.max()",
    "a.cumsum(0)",
    "torch.maximum(a, b)",
    "torch.minimum(i, a)",
    "torch.pow(a, b)",
    "torch.pow(a, 2)",
    "torch.pow(2, a)",
    "torch.sqrt(a)",
    "torch.exp(a)",
    "torch.abs(a)",
    "-a",
    "abs(a)",
    "round(a, 1)",
    "a.round()",
    "torch.clamp(a, 0, 1)",
    "float(a)",
    "int(a)",
    "bool(a)",
    "a.item()",
    "torch.lerp(x, x + 1, a)",
    "torch.addcmul(x, x, x, value=n)",
    "torch.sum(a)",
    "torch.logical_and(a, b)",
    "torch.eq(a, b)",
    "torch.sigmoid(a)",
    "torch.relu(a)",
    "F.softmax(a, 0)",
    "a.long()",
    "a.bool()",
    "a & m",
    "~a",
    "torch.floor_divide(a, 2)",
    "torch.remainder(a, 2)",
    "torch.fmod(a, 2)",
    "torch.atan2(x, a)",
    "torch.linspace(0, a, 3)",
    "torch.arange(a)",
    "torch.arange(0, a, 1)",
    "x[a]",
    "x * (a > 0)",
    "a.prod()",
    "a.any()",
    "a.all()",
    "a.argmax()",
    "torch.isclose(a, b)",
    "a.softmax(0)",
    "torch.dot(a, b)",
    "a @ b",
    "torch.outer(a, b)",
    "a.var()",
    "a.median()",
    "a.norm()",
    "torch.nn.functional.one_hot(a)",
    "torch.multiply(a, b)",
    "torch.sub(a, b, alpha=2)",
    "torch.add(a, b, alpha=2)",
    "torch.true_divide(a, b)",
    "torch.div(a, b, rounding_mode='floor')",
    "torch.div(a, b, rounding_mode='trunc')",
    "torch.cumsum(a, 0)",
    "a.masked_fill(m, 1)",
    "a.clone().fill_(n)",
    "torch.zeros_like(a)",
    "torch.ones_like(a)",
    "a.new_zeros(3)",
    "a.new_full((3,), 2)",
    "torch.rsqrt(a)",
    "torch.sign(a)",
    "a.diff()",
    "a.nan_to_num()",
    "a.expand(3) + b",
    "a.view(-1) * b",
    "a.reshape(-1)",
    "torch.atleast_1d(a)",
    "a.dtype == b.dtype",
    "a.is_floating_point()",
    "torch.dist(a, b)",
    "torch.hypot(a, b)",
    "torch.logaddexp(a, b)",
    "F.mse_loss(a, b)",
    "F.l1_loss(a, b)",
    "F.relu(a)",
    "F.gelu(a)",
    "torch.special.expit(a)",
    "torch.einsum('i,i->', a, b)",
    "torch.allclose(a, b)",
    "torch.equal(a, b)",
    "torch.broadcast_tensors(a, b)[0]",
    "torch.quantile(a, 0.5)",
    "torch.count_nonzero(a)",
    "torch.std_mean(a)",
    "torch.var_mean(a)",
    "torch.aminmax(a)",
    "torch.heaviside(x, a)",
    "torch.bucketize(a, x)",
    "torch.searchsorted(x.sort().values, a)",
    "torch.gather(x, 0, a)",
    "x.index_select(0, a)",
    "torch.take(x, a)",
    "x.repeat(a)",
    "x.scatter(0, i.abs() % 3, a)",
    "torch.dropout(a, 0.0, True)",
    "torch.complex(a, b)",
    "torch.polar(a, b)",
    "torch.tril(a)",
    "torch.trapz(a)",
    "torch.cross(a, b)",
    "torch.kron(a, b)",
    "torch.roll(a, 1)",
)  # of `a` and another
_UPDATES = (
    "c = x.clone()\nc += a",
    "c = i.clone()\nc += a",
    "c = i.clone()\nc *= a",
    "c = u8.clone()\nc += a",
    "c = h.clone()\nc *= a",
    "c = m.clone()\nc |= a",
    "c = x.clone()\nc[0] = a",
    "c = i.clone()\nc[0] = a",
    "c = m.clone()\nc[0] = a",
    "c = u8.clone()\nc[m] = a",
    "c = i.clone()\nc.fill_(a)",
    "c = x.clone()\nc.copy_(a)",
    "c = i.clone()\nc.add_(a)",
    "c = i.clone()\nc.mul_(a)",
    "c = i.clone()\nc.div_(a, rounding_mode='floor')",
    "c = x.clone()\nc.div_(a)",
    "c = x.clone()\nc.pow_(a)",
    "c = i.clone()\nc.masked_fill_(m, a)",
    "c = i.clone()\nc.clamp_(max=a)",
    "c = a\nc = c + 1",
    "c = 0\nc += a",
    "c = 0.0\nc = c + a",
    "c = x.new_zeros(3)\nc[1:] = a",
    "c = torch.zeros(3, dtype=torch.int32)\nc[:] = a",
    "c = i.clone()\nc -= a",
    "c = i.clone()\nc //= a",
    "c = x.clone()\nc //= a",
    "c = x.clone()\nc %= a",
    "c = x.clone()\nc **= a",
    "c = i.clone()\nc **= a",
    "c = torch.zeros(3)\nc[m] = a",
    "c = torch.zeros(3)\nc[i.abs() % 3] = a",
    "c = torch.zeros(3)\nc.index_fill_(0, i.abs() % 3, a)",
    "c = torch.zeros(3, dtype=torch.bool)\nc[:2] = a",
    "c = h.clone()\nc[0] = a",
    "c = i.clone()\nc.lerp_(i, a)",
    "c = x.clone()\nc.sub_(a, alpha=2)",
    "c = a * 1\nc += b",
    "c = a * 1\nc *= 2.5",
    "c = a * 1\nc += 1",
    "c = a + 0\nc -= b",
    "c = a * 1\nc[0] = b",
    "c = a * 1\nc[...] = b",
)  # of something that `a` goes into
_STARTS = ("x > 0", "x.to(torch.uint8)", "x.half()", "x.long()", "x", "x.sum() > 1", "torch.zeros(3, dtype=torch.bool)")
_ENDS = ("x", "x + 0.5", "x > 1", "x.long()", "x.double()", "x.to(torch.int16)", "x.bfloat16()", "torch.ones(3)")
_FINALS = (
    "y * 3",
    "y * 0.5",
    "y.sum()",
    "y / 2",
    "y - n",
    "y * x",
    "y.mean(-1) if y.is_floating_point() else y",
)

_SMALL = "torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])"
_LARGE = "torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [3.0, -2.0, 0.125], [0.75, 1.25, -0.5]])"
_VECTOR = "torch.tensor([0.5, -1.0, 2.0])"
_GIVEN = {
    "i": "torch.tensor([1, 0, 2])",
    "m": "torch.tensor([True, False, True])",
    "h": "torch.tensor([0.5, 2.0, -1.5], dtype=torch.float16)",
    "u8": "torch.tensor([1, 2, 200], dtype=torch.uint8)",
}


def views(rng: random.Random, number: int) -> Program:
    """A view, a change of it or of what it was cut from somewhere in the function, and a look at both."""
    view, change, place, result = (rng.choice(table) for table in (_VIEWS, _CHANGES, _PLACES, _RESULTS))
    change = change.format(t=rng.choice("xvv"))
    lines = ["x = x.clone()"] if rng.random() < 0.7 else []
    lines += ["keep = []"] if "keep" in change else []
    lines += ["kept = []"] if "kept" in place else []
    lines += [f"holder = Holder{number}()"] if "holder" in change else []
    body = "\n".join([*lines, f"v = {view}", _put(place, change), result])
    helpers = f"class Holder{number}:\n    pass\n\n\n" if "holder" in body else ""
    if "change(" in body:
        body = body.replace("change(", f"change{number}(")
        helpers += f"def change{number}(t):\n    t.mul_(3)\n    return t\n\n\n"
    inputs = [(_LARGE, "torch.tensor([0.5, 0.25])", flag, n) for flag, n in (("True", "1"), ("False", "2"))]
    return _program(number, "x: Tensor, y: Tensor, flag: bool, n: int", body, inputs, helpers)


def _put(place: str, change: str) -> str:
    """The lines of a change where `{w}` stands, as far to the right."""
    lines = []
    for line in place.split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        lines += [margin + part for part in change.split("\n")] if "{w}" in line else [line]
    return "\n".join(lines)


def holders(rng: random.Random, number: int) -> Program:
    """Something that holds a tensor, a change of the tensor on either side, and a look at both."""
    (hold, read), write = rng.choice(_HOLDERS), rng.choice(_WRITES)
    changed = "x" if rng.random() < 0.5 or "(" in read else read
    both = (f"x, {read}", f"x.sum() + {read}.sum()", f"{read}, x", f"x * 2, {read} * 3", "x", read)
    lines = ["x = x.clone()", "y = x + 1", *(["global_list = []"] if "global_list" in hold else []), hold]
    body = "\n".join([*lines, write.format(t=changed), f"return {rng.choice(both)}"])
    inputs = [(_SMALL, flag, n) for flag, n in (("True", "1"), ("False", "2"))]
    return _program(number, "x: Tensor, flag: bool, n: int", body, inputs)


def types(rng: random.Random, number: int) -> Program:
    """Tensors and numbers that are of one type here and of another there, and an operation on them."""
    first, second, other = (rng.choice(_MADE) for _ in range(3))
    joined = rng.choice(_JOINED).format(None, first, second)
    last = f"return {rng.choice(_OPERATIONS)}" if rng.random() < 0.6 else f"{rng.choice(_UPDATES)}\nreturn c * a"
    body = f"{joined}\nb = {other}\n{last}"
    words = set(re.findall(r"\b\w+\b", body))
    body = "\n".join([*(f"{name} = {text}" for name, text in _GIVEN.items() if name in words), body])
    inputs = [(_VECTOR, flag, n) for flag, n in (("True", "1"), ("False", "0"))]
    return _program(number, "x: Tensor, flag: bool, n: int", body, inputs)


def flows(rng: random.Random, number: int) -> Program:
    """A variable that becomes another on some way: its type counts, and that it is the same tensor."""
    flow = rng.choice(FLOWS)
    kind = rng.choice(("type", "alias", "changed"))
    if kind == "type":
        start = f"y = {rng.choice(_STARTS)}\nw = {rng.choice(_ENDS)}"
        last = f"return {rng.choice(_FINALS)}"
    else:
        start = "x = x.clone()\ny = x + 1\nw = x"
        last = f"{'y' if kind == 'alias' else 'x'} {rng.choice(('+= 1', '*= 2', '-= x.sum()'))}\nreturn x, y, w"
    body = re.sub(r"\bx\b", "w", flow)
    return _program(number, "x: Tensor, n: int", f"{start}\n{body}\n{last}", [(_VECTOR, "3")])


def loops(rng: random.Random, number: int) -> Program:
    """A container of tensors, a way through it, a change of what is found there, and a look at all of them."""
    is_list = rng.random() < 0.75
    made, through = rng.choice(LISTS if is_list else DICTS), rng.choice(THROUGH_LISTS if is_list else THROUGH_DICTS)
    last = rng.choice(RESULTS).format(all="h" if is_list else "h.values()")
    lines = ["x = x.clone()", "y = torch.ones(())", "keep = []", f"h = {made}", _put(through, rng.choice(CHANGES))]
    inputs = [(_SMALL, flag) for flag in ("True", "False")]
    return _program(number, "x: Tensor, flag: bool", "\n".join([*lines, f"return {last}"]), inputs)


def expressions(rng: random.Random, number: int) -> Program:
    """A change in place that stands within an expression, and a look at all that has the tensor."""
    made, changed = rng.choice(inside.MADE)
    operation = rng.choice(inside.OPERATIONS).format(t=changed)
    place = rng.choice(inside.PLACES).format(w=operation, t=changed)
    last = rng.choice(inside.RESULTS).format(v="v.t" if changed == "v.t" else "v", t=changed)
    lines = ["x = x.clone()", "y = torch.ones(2)", "keep = []", made, place]
    inputs = [(_SMALL, flag) for flag in ("True", "False")]
    return _program(number, "x: Tensor, flag: bool", "\n".join([*lines, f"return {last}"]), inputs)


def states(rng: random.Random, number: int) -> Program:
    """A module whose fields change when it is called, ways to call it, and a look at the fields."""
    fields = ["self.w = nn.Parameter(torch.ones(3))", "self.n = 0", "self.items = []", "self.cache = None"]
    made, update, method = (rng.choice(table) for table in (stateful.FIELDS, stateful.UPDATES, stateful.METHODS))
    forward = f"{update}\nreturn {rng.choice(stateful.RETURNS)}"
    use, last = rng.choice(stateful.USES).replace("{i}", str(number)), rng.choice(stateful.RESULTS)
    text = f"{forward}\n{method}\n{use}\n{last}"
    used = [item for item in fields if re.search(rf"\w\.{item[5:].split()[0]}\b", text)]
    init = "\n".join(["super().__init__()", *used, made])
    parts = {"def __init__(self):": init, "def forward(self, x: Tensor):": forward}
    if ".update(" in forward + use:
        parts["def update(self, x: Tensor):"] = method
    methods = "\n\n".join(_indented(f"{head}\n{_indented(body)}") for head, body in parts.items())
    body = f"x = x.clone()\nnet = N{number}()\n{use}\nreturn {last}"
    helper = f"def bump{number}(t):\n    return t.add_(1)\n\n\n"
    helpers = f"{helper if 'bump(' in text else ''}class N{number}(nn.Module):\n{methods}\n\n\n"
    inputs = [(_SMALL, flag) for flag in ("True", "False")]
    program = _program(number, "x: Tensor, flag: bool", body, inputs, helpers)
    return replace(program, source=program.source.replace("bump(", f"bump{number}("))


def models(rng: random.Random, number: int) -> Program:
    """A function that changes the model it is given, a way to call it, and what the model gives then."""
    change, result = rng.choice(changing.CHANGES), rng.choice(changing.RESULTS)
    use, last = rng.choice(changing.CALLS), rng.choice(changing.LAST)
    inline = re.sub(r"\bm\b", "net", change)
    body = "\n".join(("net = N()", "y = x * 1", use.replace("{change}", inline), f"return {last}"))
    annotation = rng.choice((": N", ": nn.Module", ""))
    heads = {
        "class N(nn.Module):": changing.MODEL,
        "def ones(layer):": "if isinstance(layer, nn.Linear):\n    nn.init.ones_(layer.weight)",
        "def scale(layer: nn.Linear, factor: float):": "layer.weight.data.mul_(factor)",
        f"def change(m{annotation}):": f"{change}\n{result}".strip(),
    }
    used = [head for head in heads if f"{head.split()[1].split('(')[0]}(" in f"{body}\n{change}" or "class" in head]
    helpers = "".join(f"{head}\n{_indented(heads[head])}\n\n\n" for head in used)
    program = _program(number, "x: Tensor, flag: bool", body, [(_SMALL, flag) for flag in ("True", "False")], helpers)
    return _numbered(program, number)


def training(rng: random.Random, number: int) -> Program:
    """A loop that trains a model, with all that may stand in it, and what is looked at behind it."""
    # most parts are the plain ones: where all are odd, something is always refused
    optimizer, before, step, loss, loop, beside, result = (
        rng.choice(table) if rng.random() < 0.35 else rng.choice(table[:3])
        for table in (
            *(loops_of.OPTIMIZERS, loops_of.BEFORE, loops_of.STEPS, loops_of.LOSSES, loops_of.LOOPS),
            *(loops_of.BESIDE, loops_of.RESULTS),
        )
    )
    step = _filled(step, "loss", loss)
    made = f"{optimizer}\n{before}"
    names = [name for name in loops_of.OF_NAMES if re.search(rf"(?m)^{name} = ", made)]
    tied = [rng.choice(loops_of.TIED[name]) for name in names if name in loops_of.TIED and rng.random() < 0.8]
    loop = _filled(loop, "body", "\n".join((step, *tied, beside)))
    shown = ", ".join((result, *(loops_of.OF_NAMES[name] for name in names)))
    body = f"net = N()\nlosses, total = [], 0.0\n{made}\n{loop}\nreturn {shown}"
    model = changing.MODEL if rng.random() < 0.8 else changing.MODEL.replace("nn.ReLU()", "nn.BatchNorm1d(3)")
    helpers = f"class N(nn.Module):\n{_indented(model)}\n\n\n"
    program = _program(number, "x: Tensor", body, [(_SMALL,)], helpers)
    return _numbered(program, number)


def _numbered(program: Program, number: int) -> Program:
    """The program with names of its own for what stands beside others in one module."""
    text = re.sub(r"(?<![.\w])(N|ones|scale|change)\b(?=[(,)]|:)", rf"\g<1>{number}", program.source)
    return replace(program, source=text.replace("{i}", str(number)))


def _filled(text: str, name: str, lines: str) -> str:
    """A text with lines in the place of `{name}`, indented as that is."""
    return re.sub(
        rf"(?m)^( *)\{{{name}\}}", lambda found: "\n".join(found[1] + line for line in lines.split("\n")), text
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _program(number: int, parameters: str, body: str, inputs: list[tuple[str, ...]], helpers: str = "") -> Program:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return Program(f"f{number}", f"{helpers}def f{number}({parameters}):\n{lines}", tuple(inputs))


FAMILIES: dict[str, Callable[[random.Random, int], Program]] = {
    "views": views,
    "holders": holders,
    "types": types,
    "flows": flows,
    "loops": loops,
    "expressions": expressions,
    "states": states,
    "models": models,
    "training": training,
}


def main() -> int:
    """Print the failures of one family and the figures; 1 if there are some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    chosen = parser.parse_args()
    rng, found = random.Random(chosen.seed), Counter[str]()
    for start in range(0, chosen.count, _BATCH):
        programs = [FAMILIES[chosen.family](rng, n) for n in range(start, min(start + _BATCH, chosen.count))]
        outcomes = judge(programs)
        for program in programs:
            outcome = outcomes[program.name]
            found[outcome.kind] += 1
            if outcome.kind in FAILURES:
                print(f"# {outcome.kind}: {outcome.detail}\n{program.source}")
    print(dict(found))
    return int(any(found[kind] for kind in FAILURES))


if __name__ == "__main__":
    sys.exit(main())
