"""Ways in which a variable `y` may come to be `x`: control flow, containers, objects and functions. `n` is 3."""

FLOWS = """
try:
    y = x + 0.5
    int("a")
    y = x > 2
except ValueError:
    pass
---
try:
    y = x + 0.5
    int("a")
    y = x > 2
except ValueError:
    y = y * 3
    return y
---
z = [(y := x + 0.5) for _ in range(2)]
---
if (y := x + 0.5).sum() > 100:
    y = x > 1
---
def g():
    nonlocal y
    y = y + 0.5
g()
---
def g():
    nonlocal y
    y = y + 0.5
list(map(lambda _: g(), range(1)))
---
items = [y]
def add(items, v):
    items.append(v)
add(items, x)
y = items[-1]
---
items = [y]
items.append(x)
y = items[-1]
---
items = [y]
items += [x]
y = items[-1]
---
items = [y]
items.extend([x])
y = items[-1]
---
items = [y]
items[0] = x
y = items[0]
---
items = [y]
items[:] = [x]
y = items[0]
---
items = [y]
items.insert(0, x)
y = items[0]
---
items = [y]
other = items
other.append(x)
y = items[1]
---
items = [y]
other = items
other[0] = x
y = items[0]
---
d = {"a": y}
d["a"] = x
y = d["a"]
---
d = {"a": y}
d.update(a=x)
y = d["a"]
---
d = {"a": y}
d.update({"a": x})
y = d["a"]
---
d = {}
y = d.setdefault("a", x)
---
d = {"a": x}
y = d.setdefault("a", y)
---
d = {"a": y}
d |= {"a": x}
y = d["a"]
---
d = {"a": y}
e = d
e["a"] = x
y = d["a"]
---
def put(d, v):
    d["a"] = v
d = {"a": y}
put(d, x)
y = d["a"]
---
class B:
    t = 1
b = B()
b.t = y
setattr(b, "t", x)
y = b.t
---
class B:
    pass
b = B()
b.t = y
c = b
c.t = x
y = b.t
---
class B:
    pass
def put(b, v):
    b.t = v
b = B()
b.t = y
put(b, x)
y = b.t
---
class B:
    t = None
B.t = y
B.t = x
y = B.t
---
class B:
    t = None
    @classmethod
    def put(cls, v):
        cls.t = v
B.put(y)
B.put(x)
y = B.t
---
from dataclasses import dataclass
@dataclass
class B:
    t: object
b = B(y)
b.t = x
y = b.t
---
from dataclasses import dataclass
@dataclass
class B:
    t: Tensor
b = B(y)
c = B(x)
y = c.t
---
from typing import NamedTuple
class B(NamedTuple):
    t: Tensor
b = B(y)
c = B(x)
y = c.t
---
from typing import NamedTuple
class B(NamedTuple):
    t: Tensor
b = B(y)
c = b._replace(t=x)
y = c.t
---
from collections import namedtuple
B = namedtuple("B", "t")
b = B(y)
c = b._replace(t=x)
y = c.t
---
def h(v):
    return v * 3
a = h(y)
z = list(map(h, [x]))
return z[0]
---
def h(v):
    return v * 3
a = h(y)
z = [g(x) for g in [h]]
return z[0]
---
def h(v):
    return v * 3
a = h(y)
g = h
return g(x)
---
def h(v):
    return v * 3
a = h(y)
def app(k, v):
    return k(v)
return app(h, x)
---
import functools
def h(v):
    return v * 3
a = h(y)
g = functools.partial(h, x)
return g()
---
import functools
def h(w, v):
    return v * 3
a = h(1, y)
g = functools.partial(h, 1)
return g(x)
---
def h(v, n):
    return v * 3 if n == 0 else h(v + 0.5, n - 1)
return h(y, 1)
---
def h(v=y):
    return v * 3
a = h()
return h(x)
---
def h(**kw):
    return kw["v"] * 3
a = h(v=y)
return h(v=x)
---
def h(v):
    return v * 3
a = h(v=y)
return h(**{"v": x})
---
def h(v):
    return v * 3
a = h(y)
kw = dict(v=x)
return h(**kw)
---
def h(*vs):
    return vs[0] * 3
a = h(y)
return h(x)
---
def h(*vs):
    return [v * 3 for v in vs]
a = h(y)
return h(x)[0]
---
class B:
    def __call__(self, v):
        return v * 3
b = B()
a = b(y)
return b(x)
---
class B:
    def m(self, v):
        return v * 3
class C(B):
    pass
a = B().m(y)
return C().m(x)
---
class B:
    def m(self, v):
        return v * 3
    def n(self, v):
        return self.m(v)
class C(B):
    def m(self, v):
        return v * 3
a = C().m(y)
b = B().m(y)
return C().n(x)
---
class B:
    @property
    def t(self):
        return self._t
    @t.setter
    def t(self, v):
        self._t = v
b = B()
b.t = y
b.t = x
y = b.t
---
class B:
    def __init__(self):
        self.items = []
b = B()
b.items.append(y)
b.items.append(x)
y = b.items[1]
---
class B:
    def __init__(self, v):
        self.items = [v]
    def add(self, v):
        self.items.append(v)
b = B(y)
b.add(x)
y = b.items[1]
---
class B:
    def __init__(self, v):
        self.d = {"a": v}
    def add(self, v):
        self.d["a"] = v
b = B(y)
b.add(x)
y = b.d["a"]
---
class B:
    def __init__(self, v):
        self.d = {"a": v}
b = B(y)
b.d["a"] = x
y = b.d["a"]
---
def gen():
    yield y
    yield x
for y in gen():
    pass
---
def gen():
    r = yield y
    yield r
g = gen()
next(g)
y = g.send(x)
---
def g():
    return y * 3
a = g()
y = x + 1
return g()
---
g = lambda: y * 3
y = x + 1
return g()
---
g = [lambda v: v * 3]
a = g[0](y)
return g[0](x)
---
g = lambda v: v * 3
a = g(y)
return g(x)
---
g = lambda v=y: v * 3
a = g()
return g(x)
---
h = y
for h in [x]:
    pass
y = h
---
for i, y in enumerate([x]):
    pass
---
for y, z in zip([x], [x]):
    pass
---
a, *b = y, x
y = b[0]
---
*b, a = x, y
y = b[0]
---
(y, z), w = (x, x), x
---
[y, z] = [x, x]
---
y, z = z, y = x, x
---
z = y = x
---
y = (lambda: x)()
---
y = [y, x][n - 2]
---
y = (y, x)[1]
---
y = (y, x)[-1]
---
y = {"a": y, "b": x}["b"]
---
y = y if n == 0 else x
---
y = n == 0 and y or x
---
match n:
    case 3:
        y = x
    case _:
        pass
---
match n:
    case 3:
        y = x
---
with torch.no_grad():
    y = x
---
while True:
    y = x
    break
---
while True:
    if n > 1:
        y = x
        break
    y = x > 2
---
for i in range(3):
    try:
        if i == 1:
            y = x
            break
        y = x > 1
    finally:
        pass
---
for i in range(3):
    with torch.no_grad():
        if i == 1:
            y = x
            break
        y = x > 1
---
for i in range(3):
    for j in range(2):
        if j == 1:
            y = x
            break
        y = x > 1
    else:
        continue
    break
---
for i in range(3):
    if i == 1:
        y = x
        continue
    if i == 2:
        break
    y = x > 1
---
try:
    y = x
    raise ValueError
except ValueError:
    z = 1
else:
    y = x > 1
---
try:
    y = x
    raise ValueError
    y = x > 1
except ValueError:
    pass
---
try:
    int("a")
except ValueError:
    y = x
else:
    y = x > 1
---
try:
    try:
        y = x
        int("a")
        y = x > 1
    finally:
        z = 2
except ValueError:
    pass
---
import contextlib
with contextlib.suppress(ValueError):
    y = x
    int("a")
    y = x > 1
---
def g(v):
    try:
        return v
    finally:
        pass
a = g(y)
y = g(x)
---
def g(v, k):
    if k:
        return v > 1
    return v
y = g(x, False)
---
def g(v, k):
    for i in range(3):
        if k:
            return v
    return v > 1
y = g(x, True)
---
y = max(y, x, key=lambda v: v.sum())
---
y = sorted([y, x], key=lambda v: -v.shape[0])[1]
---
y = list(reversed([x, y]))[1]
---
y = next(iter([x]))
---
y = next((v for v in [x] if n), y)
---
y = dict(a=x)["a"]
---
y = {k: v for k, v in [("a", x)]}["a"]
---
y = dict(zip(["a"], [x]))["a"]
---
import copy
d = copy.deepcopy({"a": y})
d["a"] = x
y = d["a"]
---
s = [y]
s.pop()
s.append(x)
y = s.pop()
---
from collections import deque
s = deque([y])
s.append(x)
y = s.pop()
---
from collections import defaultdict
s = defaultdict(list)
s["a"].append(y)
s["a"].append(x)
y = s["a"][1]
---
s = {"a": [y]}
s["a"].append(x)
y = s["a"][1]
---
s = {"a": {"b": y}}
s["a"]["b"] = x
y = s["a"]["b"]
---
s = [[y]]
s[0].append(x)
y = s[0][1]
---
s = [[y]]
s[0][0] = x
y = s[0][0]
---
s = [[y]]
t = s[0]
t[0] = x
y = s[0][0]
---
s = [y] * 2
s[1] = x
y = s[1]
---
s = [y, x]
s.reverse()
y = s[0]
---
s = [y, x]
s[0], s[1] = s[1], s[0]
y = s[0]
---
y, z = x, y
---
s = (y,)
s += (x,)
y = s[1]
---
s = (y,) + (x,)
y = s[1]
---
import types
s = types.SimpleNamespace(t=y)
s.t = x
y = s.t
---
class B:
    def __getitem__(self, i):
        return self.items[i]
    def __setitem__(self, i, v):
        self.items[i] = v
b = B()
b.items = [y]
b[0] = x
y = b[0]
---
class B(dict):
    pass
b = B(a=y)
b["a"] = x
y = b["a"]
---
class B(list):
    pass
b = B([y])
b.append(x)
y = b[1]
---
from torch import nn
b = nn.ParameterList([nn.Parameter(x)])
y = b[0]
---
from torch import nn
class M(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.register_buffer("t", v)
    def forward(self, v):
        self.t = v
        return self.t
m = M(y)
y = m(x)
---
from torch import nn
class M(nn.Module):
    def __init__(self, v):
        super().__init__()
        self.t = v
    def forward(self, v):
        z = self.t * 3
        self.t = v
        return z
m = M(y)
m(x)
return m(x)
""".strip("\n").split("\n---\n")
