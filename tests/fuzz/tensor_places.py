"""Tensors that are changed: where one lies, what changes it, by which name or loop, in whose code, and who looks at it then.

`$s` is the object that holds the tensor, `$x` the tensor itself, by whatever name.
"""

from dataclasses import dataclass

from tests.fuzz.matrices import HEAD, Matrix, deeper, filled

_RAMP, _ONES = "torch.arange(4.0)", "torch.ones(4)"
_INNER = f"class Inner:\n    def __init__(self):\n        self.x = {_RAMP}\n"
_INNER_LIST = f"class Inner:\n    def __init__(self):\n        self.xs = [{_RAMP}, {_ONES}]\n"
_PART = f"class Part(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('x', {_RAMP})\n"
_PAIR = "@dataclass\nclass Pair:\n    a: torch.Tensor\n    b: torch.Tensor\n"
_TWO = f"{_RAMP}, {_ONES}"


@dataclass(frozen=True)
class Place:
    """Where a tensor lies: how it comes there, the tensor, several of its kind, and a dict of such."""

    init: str
    tensor: str
    several: str = ""
    table: str = ""
    setup: str = ""
    members: str = ""
    base: str = ""


def _method(head: str, body: str, decorator: str = "") -> str:
    return f"{decorator}def {head}:\n    {body}\n"


PLACES = {
    "field": Place(f"self.x = {_RAMP}", "$s.x"),
    "field of a field": Place("self.inner = Inner()", "$s.inner.x", setup=_INNER),
    "list": Place(f"self.xs = [{_TWO}]", "$s.xs[0]", "$s.xs"),
    "comprehension": Place("self.xs = [torch.full((4,), float(i)) for i in range(3)]", "$s.xs[1]", "$s.xs"),
    "appended": Place(f"self.xs = []\nself.xs.append({_RAMP})\nself.xs.append({_ONES})", "$s.xs[-1]", "$s.xs"),
    "list of lists": Place(f"self.xss = [[{_RAMP}], [{_ONES}, {_RAMP}]]", "$s.xss[1][0]", "$s.xss[1]"),
    "dict": Place(f"self.d = {{'a': {_RAMP}, 'b': {_ONES}}}", "$s.d['a']", "$s.d.values()", "$s.d"),
    "dict of lists": Place(f"self.d = {{'a': [{_TWO}], 'b': [{_RAMP}]}}", "$s.d['a'][1]", "$s.d['a']"),
    "dict of dicts": Place(
        f"self.d = {{'m': {{'a': {_RAMP}}}, 'v': {{'a': {_ONES}}}}}",
        "$s.d['m']['a']",
        "$s.d['m'].values()",
        "$s.d['m']",
    ),
    "list of dicts": Place(
        f"self.groups = [{{'p': {_RAMP}}}, {{'p': {_ONES}}}]",
        "$s.groups[1]['p']",
        "$s.groups[1].values()",
        "$s.groups[1]",
    ),
    "dict.get": Place(f"self.d = {{'a': {_RAMP}, 'b': {_ONES}}}", "$s.d.get('a')", "list($s.d.values())", "$s.d"),
    "dict.setdefault": Place("self.d = {}", f"$s.d.setdefault('a', {_RAMP})"),
    "tuple": Place(f"self.xs = ({_TWO})", "$s.xs[0]", "$s.xs"),
    "named tuple": Place(
        f"self.pair = Pair({_TWO})",
        "$s.pair.a",
        "$s.pair",
        setup="from collections import namedtuple\nPair = namedtuple('Pair', 'a b')\n",
    ),
    "dataclass": Place(f"self.pair = Pair({_TWO})", "$s.pair.a", setup=f"from dataclasses import dataclass\n{_PAIR}"),
    "namespace": Place(
        f"self.ns = SimpleNamespace(a={_RAMP}, b={_ONES})",
        "$s.ns.a",
        "($s.ns.a, $s.ns.b)",
        setup="from types import SimpleNamespace\n",
    ),
    "class": Place("self.n = 1", "Box.cache", members=f"cache = {_RAMP}\n"),
    "class by an object": Place("self.n = 1", "$s.cache", members=f"cache = {_RAMP}\n"),
    "list of a class": Place("self.n = 1", "Box.cache[0]", "Box.cache", members=f"cache = [{_TWO}]\n"),
    "global": Place("self.n = 1", "SEEN", setup=f"SEEN = {_RAMP}\n"),
    "global list": Place("self.n = 1", "SEEN[0]", "SEEN", setup=f"SEEN = [{_TWO}]\n"),
    "global dict": Place(
        "self.n = 1", "SEEN['a']", "SEEN.values()", "SEEN", setup=f"SEEN = {{'a': {_RAMP}, 'b': {_ONES}}}\n"
    ),
    "deque": Place(f"self.q = deque([{_TWO}], maxlen=3)", "$s.q[0]", "$s.q", setup="from collections import deque\n"),
    "ordered dict": Place(
        f"self.d = OrderedDict()\nself.d['a'] = {_RAMP}\nself.d['b'] = {_ONES}",
        "$s.d['a']",
        "$s.d.values()",
        "$s.d",
        setup="from collections import OrderedDict\n",
    ),
    "default dict": Place(
        f"self.d = defaultdict(list)\nself.d['a'].append({_RAMP})\nself.d['a'].append({_ONES})",
        "$s.d['a'][0]",
        "$s.d['a']",
        setup="from collections import defaultdict\n",
    ),
    "class of lists": Place(f"self.xs = Xs([{_TWO}])", "$s.xs[0]", "$s.xs", setup="class Xs(list):\n    pass\n"),
    "property": Place(f"self._x = {_RAMP}", "$s.x", members=_method("x(self)", "return self._x", "@property\n")),
    "getter": Place(f"self._x = {_RAMP}", "$s.get()", members=_method("get(self)", "return self._x")),
    "getter of a list": Place(
        f"self._xs = [{_TWO}]", "$s.get()[0]", "$s.get()", members=_method("get(self)", "return self._xs")
    ),
    "getter by number": Place(
        f"self._xs = [{_TWO}]", "$s.get(1)", members=_method("get(self, i)", "return self._xs[i]")
    ),
    "generator": Place(
        f"self.xs = [{_TWO}]",
        "list($s.all())[0]",
        "$s.all()",
        members=_method("all(self)", "for x in self.xs:\n        yield x"),
    ),
    "__getitem__": Place(
        f"self.xs = [{_TWO}]",
        "$s[0]",
        "$s",
        members=_method("__getitem__(self, i)", "return self.xs[i]") + "\n" + _method("__len__(self)", "return 2"),
    ),
    "__iter__": Place(
        f"self.xs = [{_TWO}]",
        "next(iter($s.xs))",
        "iter($s)",
        members=_method("__iter__(self)", "return iter(self.xs)"),
    ),
    "__slots__": Place(f"self.x, self.y = {_TWO}", "$s.y", "($s.x, $s.y)", members="__slots__ = ('x', 'y')\n"),
    "__dict__": Place(f"self.x = {_RAMP}", "$s.__dict__['x']"),
    "getattr": Place(f"setattr(self, 'x', {_RAMP})", "getattr($s, 'x')"),
    "objects in a list": Place(
        "self.boxes = [Inner(), Inner()]", "$s.boxes[0].x", "[b.x for b in $s.boxes]", setup=_INNER
    ),
    "objects in a dict": Place("self.d = {'a': Inner()}", "$s.d['a'].x", "[i.x for i in $s.d.values()]", setup=_INNER),
    "list of a field": Place("self.inner = Inner()", "$s.inner.xs[1]", "$s.inner.xs", setup=_INNER_LIST),
    "list of a module": Place(
        f"super().__init__()\nself.lin = nn.Linear(2, 2)\nself.xs = [{_TWO}]", "$s.xs[0]", "$s.xs", base="(nn.Module)"
    ),
    "field of a module": Place(f"super().__init__()\nself.x = {_RAMP}", "$s.x", base="(nn.Module)"),
    "buffer": Place(f"super().__init__()\nself.register_buffer('x', {_RAMP})", "$s.x", base="(nn.Module)"),
    "buffers of parts": Place(
        "super().__init__()\nself.parts = nn.ModuleList([Part(), Part()])",
        "$s.parts[0].x",
        "[p.x for p in $s.parts]",
        setup=_PART,
        base="(nn.Module)",
    ),
    "parameter": Place(f"self.w = nn.Parameter({_RAMP})", "$s.w.data"),
    "list of parameters": Place(
        f"self.ws = [nn.Parameter({_RAMP}), nn.Parameter({_ONES})]", "$s.ws[1].data", "[w.data for w in $s.ws]"
    ),
    "row": Place("self.grid = torch.arange(12.0).reshape(3, 4)", "$s.grid[0]", "$s.grid"),
    "column": Place("self.grid = torch.arange(12.0).reshape(4, 3)", "$s.grid.T[0]", "$s.grid.T"),
    "slice": Place("self.grid = torch.arange(12.0)", "$s.grid[4:8]", "$s.grid.chunk(3)"),
    "view": Place("self.grid = torch.arange(12.0)", "$s.grid.view(3, 4)[1]", "$s.grid.view(3, 4)"),
    "unbind": Place("self.grid = torch.arange(12.0).reshape(3, 4)", "$s.grid.unbind(0)[1]", "$s.grid.unbind(0)"),
    "slices of a list": Place(
        "self.rows = [torch.arange(5.0), torch.ones(5)]", "$s.rows[0][1:]", "[r[1:] for r in $s.rows]"
    ),
    "rows of a dict": Place("self.d = {'a': torch.arange(8.0).reshape(2, 4)}", "$s.d['a'][1]", "$s.d['a']"),
    "list and field": Place(f"self.x = {_RAMP}\nself.xs = [self.x, {_ONES}]", "$s.xs[0]", "$s.xs"),
    "two fields": Place(f"self.x = {_RAMP}\nself.y = self.x", "$s.y"),
}

CHANGES = {
    "mul_": "$x.mul_(2)",
    "+=": "$x += 1",
    "/=": "$x /= 2",
    "[0] =": "$x[0] = 5",
    "[0] +=": "$x[0] += 5",
    "[:] =": "$x[:] = 4",
    "[...] =": "$x[...] = 4",
    "[mask] =": "$x[$x > 0.5] = 0",
    "[1:] =": "$x[1:] = $x[:-1].clone()",
    "[i] =": "for i in range(4):\n    $x[i] = i * i",
    "swap": "$x[0], $x[1] = $x[1].clone(), $x[0].clone()",
    "__setitem__": "$x.__setitem__(0, 6.0)",
    "out=": "torch.add($x, 1, out=$x)",
    "clamp out=": "torch.clamp($x, 0, 1, out=$x)",
    "neg_": "torch.neg_($x)",
    "relu_": "torch.relu_($x)",
    "relu inplace": "F.relu($x.sub_(1), inplace=True)",
    "foreach": "torch._foreach_mul_([$x], 2)",
    "init": "nn.init.constant_($x, 3)",
    ".data.mul_": "$x.data.mul_(2)",
    ".data =": "$x.data = $x * 2",
    ".data[1] =": "$x.data[1] = 9",
    "copy_": "$x.copy_(torch.full((4,), 7.0))",
    "fill_": "$x.fill_(3)",
    "zero_": "$x.zero_()",
    "lerp_": "$x.lerp_(torch.ones(4), 0.5)",
    "index_fill_": "$x.index_fill_(0, torch.tensor([1]), 8.0)",
    "chain": "$x.mul_(2).add_(1)",
    "view": "$x.view(-1)[0] = 1",
    "part": "$x[1:].mul_(3)",
    "result": "z = $x.add_(1)\nprint('z', z)",
    "printed": "print('r', $x.mul_(3))",
    "no_grad": "with torch.no_grad():\n    $x.add_(2)",
    "while": "k = 0\nwhile k < 2:\n    $x.add_(k + 1)\n    k += 1",
    "if": "if $x.sum() > 1:\n    $x.mul_(2)\nelse:\n    $x.sub_(1)",
    "lambda": "(lambda t: t.add_(1))($x)",
    "function": "double($x)",
    "function by name": "double(t=$x)",
    "function *": "double(*[$x])",
    "function of a list": "double_all([$x])",
    "function of two": "scale_pair($x, torch.ones(4))",
    "function [0]": "set_first($x)",
    "function's result": "y = double_back($x)\nprint('y', y)",
    "method": "DOUBLER.apply($x)",
}
_HELPERS = {
    "double(": "def double(t):\n    t.mul_(2)\n",
    "double_back(": "def double_back(t):\n    t.mul_(2)\n    return t\n",
    "double_all(": "def double_all(ts):\n    for t in ts:\n        t.mul_(2)\n",
    "set_first(": "def set_first(t):\n    t[0] = 11\n",
    "scale_pair(": "def scale_pair(t, u):\n    t.add_(u)\n    u.zero_()\n",
    "DOUBLER": "class Doubler:\n    def apply(self, t):\n        t.mul_(2)\n\n\nDOUBLER = Doubler()\n",
}

# `$t` is the name by which the tensor is changed, `$change` the change of `t`, `$here` of the place itself, `$each` of the places of several.
WAYS = {
    "direct": "$here",
    "variable": "t = $x\n$change",
    "variable of before": "t = $x\n$here\nprint('t', t)",
    "for over a variable": "ts = $several\nfor t in ts:\n    $change",
    "for": "for t in $several:\n    $change",
    "enumerate": "for i, t in enumerate($several):\n    $change",
    "zip": "for t, w in zip($several, [1.0, 2.0]):\n    $change",
    "reversed": "for t in reversed(list($several)):\n    $change",
    "[1:]": "for t in list($several)[1:]:\n    $change",
    "items": "for k, t in $table.items():\n    $change",
    "keys": "for k in $table:\n    $keyed",
    "range": "for i in range(len($several)):\n    $numbered",
    "variable in range": "for i in range(len($several)):\n    t = $several[i]\n    $change",
    "unpacked": "t, *rest = $several\n$change",
    "comprehension": "[$change for t in $several]",
    "map": "list(map(lambda t: $change, $several))",
    "filter": "for t in [u for u in $several if u is not None]:\n    $change",
    "max": "t = max($several, key=lambda u: u.sum())\n$change",
    ":=": "if (t := $x) is not None:\n    $change",
    "if else": "t = $x if FLAG else torch.zeros(4)\n$change",
    "inner function": "def change(t):\n    $change\n\nchange($x)",
    "closure": "def change():\n    $here\n\nchange()",
    "inner function of several": "def change(ts):\n    for t in ts:\n        $change\n\nchange($several)",
    "pair": "pair = ($x, 1)\n$paired",
    "two variables": "t, k = $x, 2\n$change",
    "list": "ts = [$x]\nfor t in ts:\n    $change",
    "dict": "opts = {'v': $x}\n$opted",
    "kept": "t = None\nfor _ in range(2):\n    if t is None:\n        t = $x\n    $change",
    "try": "try:\n    t = $x\nexcept KeyError:\n    t = torch.zeros(4)\n$change",
}
CODE = {
    "method": (
        "self",
        "class Box$base:\n    $members\n    def __init__(self):\n        $init\n\n    def step(self):\n        $body\n",
        "b.step()",
    ),
    "method of a method": (
        "self",
        "class Box$base:\n    $members\n    def __init__(self):\n        $init\n\n    def step(self):\n        self._change()\n\n    def _change(self):\n        $body\n",
        "b.step()",
    ),
    "static method": (
        "box",
        "class Box$base:\n    $members\n    def __init__(self):\n        $init\n\n    @staticmethod\n    def step(box):\n        $body\n",
        "Box.step(b)",
    ),
    "function": (
        "box",
        "class Box$base:\n    $members\n    def __init__(self):\n        $init\n\n\ndef step(box):\n    $body\n",
        "step(b)",
    ),
    "other class": (
        "self.box",
        "class Box$base:\n    $members\n    def __init__(self):\n        $init\n\n\nclass Holder:\n    def __init__(self, box):\n        self.box = box\n\n    def step(self):\n        $body\n",
        "h.step()",
    ),
    "script": ("b", "class Box$base:\n    $members\n    def __init__(self):\n        $init\n", ""),
}
# What stands before and after the changes: `$x`, or `$some`, which is several where there are such.
VIEWERS = {
    "nobody": ("", ""),
    "variable": ("before = $x", "print('before', before)"),
    "object": (
        "class Seen:\n    def __init__(self, v):\n        self.v = v\n\n    def show(self):\n        print('seen', self.v)\n\n\nseen = Seen($x)",
        "seen.show()",
    ),
    "object of several": (
        "class Seen:\n    def __init__(self, vs):\n        self.vs = vs\n\n    def show(self):\n        for v in self.vs:\n            print('seen', v)\n\n\nseen = Seen($some)",
        "seen.show()",
    ),
    "list": ("kept = [$x, 1]", "print('kept', kept[0])"),
}


def write(place: str, change: str, way: str, code: str, viewer: str) -> str | None:
    """The script of a tensor that lies at a place and is changed twice."""
    where, how, text = PLACES[place], CHANGES[change], WAYS[way]
    if ("$several" in text and not where.several) or ("$table" in text and not where.table):
        return None
    names = {
        "change": "t",
        "here": where.tensor,
        "keyed": f"{where.table}[k]",
        "numbered": f"{where.several}[i]",
        "paired": "pair[0]",
        "opted": "opts['v']",
    }
    changes = {hole: filled(how, x=name) for hole, name in names.items()}
    if way in ("comprehension", "map") and "\n" in how:
        return None
    holder, layout, call = CODE[code]
    parts = {"x": where.tensor, "several": where.several, "table": where.table}
    body = filled(filled(text, **changes), **parts)
    again = "\n".join([call or filled(body, s=holder)] * 2)
    scene = filled(layout, base=where.base, members=where.members, init=where.init, body=filled(body, s=holder))
    before, after = (
        filled(side, x=where.tensor, some=where.several or f"[{where.tensor}]") for side in VIEWERS[viewer]
    )
    helpers = [helper for name, helper in _HELPERS.items() if name in body]
    made = "b = Box()\nh = Holder(b)" if code == "other class" else "b = Box()"
    shown = f"print('x', {where.tensor})"
    if where.several:
        shown += f"\nfor t in {where.several}:\n" + deeper("print('one', t)")
    lines = [HEAD, "FLAG = True\n" * ("FLAG" in body), where.setup, *helpers, scene, made, before, again, shown, after]
    return "\n".join(filled(line, s="b") for line in lines if line) + "\n"


TENSORS = Matrix(
    "tensors",
    {"place": PLACES, "change": CHANGES, "way": WAYS, "code": CODE, "viewer": VIEWERS},
    write,
)
