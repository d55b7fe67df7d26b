"""Parts of modules that are changed: where one lies, what changes it, by which name, in whose code, beside which optimizer, and who
looks at it then.

`$s` is the module, `$p` the part that is changed, by whatever name, `$many` what holds several like it.
"""

from dataclasses import dataclass

from tests.fuzz.matrices import HEAD, Matrix, filled

_LINEAR = "nn.Linear(3, 3)"
_BLOCK = "class Block(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(3, 3)\n\n    def forward(self, x):\n        return torch.tanh(self.fc(x))\n"
_WRAP = "class Wrap(nn.Module):\n    def __init__(self, fc):\n        super().__init__()\n        self.fc = fc\n\n    def forward(self, x):\n        return torch.tanh(self.fc(x))\n"


@dataclass(frozen=True)
class Place:
    """Where a part lies: how it comes there, the part, several of its kind, and what `forward` makes of `x`."""

    init: str
    part: str
    forward: str
    many: str = ""
    setup: str = ""
    members: str = ""


_IN_TURN = "for part in {}:\n    x = part(x)"
PLACES = {
    "field": Place(f"self.fc = {_LINEAR}", "$s.fc", "x = self.fc(x)"),
    "ModuleList": Place(
        "self.parts = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])",
        "$s.parts[1]",
        _IN_TURN.format("self.parts"),
        "$s.parts",
    ),
    "ModuleDict": Place(
        f"self.parts = nn.ModuleDict({{'a': {_LINEAR}, 'b': {_LINEAR}}})",
        "$s.parts['b']",
        "x = self.parts['b'](self.parts['a'](x))",
        "$s.parts.values()",
    ),
    "Sequential": Place(
        f"self.body = nn.Sequential({_LINEAR}, nn.Tanh(), {_LINEAR})",
        "$s.body[2]",
        "x = self.body(x)",
        "[$s.body[0], $s.body[2]]",
    ),
    "list": Place(f"self.plain = [{_LINEAR}, {_LINEAR}]", "$s.plain[0]", _IN_TURN.format("self.plain"), "$s.plain"),
    "list of parts": Place(
        f"self.a, self.b = {_LINEAR}, {_LINEAR}\nself.both = [self.a, self.b]",
        "$s.both[1]",
        _IN_TURN.format("self.both"),
        "$s.both",
    ),
    "nested": Place("self.block = Block()", "$s.block.fc", "x = self.block(x)", setup=_BLOCK),
    "nested list": Place(
        "self.blocks = nn.ModuleList([Block(), Block()])",
        "$s.blocks[0].fc",
        _IN_TURN.format("self.blocks"),
        "[block.fc for block in $s.blocks]",
        setup=_BLOCK,
    ),
    "shared": Place(
        f"fc = {_LINEAR}\nself.a, self.b = Wrap(fc), Wrap(fc)", "$s.a.fc", "x = self.b(self.a(x))", setup=_WRAP
    ),
    "two names": Place(f"self.fc = {_LINEAR}\nself.head = self.fc", "$s.head", "x = self.head(self.fc(x))"),
    "tied": Place(
        f"self.fc, self.out = {_LINEAR}, {_LINEAR}\nself.out.weight = self.fc.weight",
        "$s.fc",
        "x = self.out(self.fc(x))",
        "[$s.fc, $s.out]",
    ),
    "getter": Place(
        f"self.fc = {_LINEAR}", "$s.get()", "x = self.get()(x)", members="def get(self):\n    return self.fc\n"
    ),
    "property": Place(
        f"self._fc = {_LINEAR}", "$s.fc", "x = self.fc(x)", members="@property\ndef fc(self):\n    return self._fc\n"
    ),
    "getattr": Place(f"setattr(self, 'fc', {_LINEAR})", "getattr($s, 'fc')", "x = getattr(self, 'fc')(x)"),
    "add_module": Place(f"self.add_module('fc', {_LINEAR})", "$s.fc", "x = self.fc(x)"),
    "class of a layer": Place(
        "self.fc = Scaled(3, 3)",
        "$s.fc",
        "x = self.fc(x)",
        setup="class Scaled(nn.Linear):\n    def forward(self, x):\n        return 2 * super().forward(x)\n",
    ),
    "convolution": Place(
        "self.conv = nn.Conv1d(1, 1, 3, padding=1)", "$s.conv", "x = self.conv(x.unsqueeze(1)).squeeze(1)"
    ),
    "embedding": Place("self.table = nn.Embedding(4, 3)", "$s.table", "x = x + self.table(torch.tensor([1, 2]))"),
    "norm": Place("self.norm = nn.BatchNorm1d(3)", "$s.norm", "x = self.norm(x)"),
    "layer norm": Place("self.norm = nn.LayerNorm(3)", "$s.norm", "x = self.norm(x)"),
    "norms": Place(
        "self.norms = nn.ModuleList([nn.BatchNorm1d(3), nn.BatchNorm1d(3)])",
        "$s.norms[1]",
        _IN_TURN.format("self.norms"),
        "$s.norms",
    ),
    "dropout": Place(f"self.fc, self.drop = {_LINEAR}, nn.Dropout(0.0)", "$s.fc", "x = self.drop(self.fc(x))"),
    "own": Place(
        "self.own = Own()",
        "$s.own",
        "x = self.own(x)",
        setup="class Own(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.weight = nn.Parameter(torch.ones(3))\n        self.register_buffer('bias', torch.zeros(3))\n\n    def forward(self, x):\n        return x * self.weight + self.bias\n",
    ),
    "global": Place("self.n = 1", "PART", "x = PART(x)", setup=f"PART = {_LINEAR}\n"),
    "given": Place("self.fc = part", "$s.fc", "x = self.fc(x)"),
}

CHANGES = {
    "exchanged": "$p = nn.Linear(3, 3, bias=False)\nfill($p)",
    "identity": "$p = nn.Identity()",
    "wrapped": "$p = nn.Sequential($p, nn.Tanh())",
    "requires_grad_": "$p.requires_grad_(False)",
    "requires_grad": "for q in $p.parameters():\n    q.requires_grad = False",
    "weight frozen": "$p.weight.requires_grad = False",
    "half": "$p.half().float()",
    "to half": "$p.to(torch.float16)\n$p.to(torch.float32)",
    "copied": "other = copy.deepcopy($p)\nother.weight.data.zero_()\nprint('other', other.weight.sum().item())",
    "copy changed": "other = copy.deepcopy($p)\n$p.weight.data.zero_()\nprint('other', other.weight.sum().item())",
    "load": "$p.load_state_dict({k: torch.full_like(v, 0.5) for k, v in $p.state_dict().items()})",
    "load copy": "state = copy.deepcopy($p.state_dict())\n$p.weight.data.zero_()\n$p.load_state_dict(state)",
    "load alias": "state = $p.state_dict()\n$p.weight.data.mul_(2)\nprint('state', state['weight'].sum().item())",
    "state changed": "$p.state_dict()['weight'].mul_(3)",
    "data copy_": "$p.weight.data.copy_(torch.full_like($p.weight, 0.25))",
    "data =": "$p.weight.data = torch.full_like($p.weight, 0.25)",
    "data = data": "$p.weight.data = $p.weight.data * 2",
    "data = tensor": "w = torch.full_like($p.weight.data, 0.5)\n$p.weight.data = w\nprint('w', w.sum().item())",
    "data = alias": "w = torch.full_like($p.weight.data, 0.5)\n$p.weight.data = w\n$p.weight.data.mul_(2)\nprint('w', w.sum().item())",
    "tensor of data": "w = torch.full_like($p.weight.data, 0.5)\n$p.weight.data = w\nw.mul_(3)",
    "data mul_": "$p.weight.data.mul_(0.5)",
    "data [0]": "$p.weight.data[0] = 1.0",
    "detach": "$p.weight.detach().mul_(0.5)",
    "no_grad": "with torch.no_grad():\n    $p.weight.fill_(0.1)",
    "no_grad [0]": "with torch.no_grad():\n    $p.weight[0] = 1.0",
    "no_grad +=": "with torch.no_grad():\n    $p.weight += 1.0",
    "parameter": "$p.weight = nn.Parameter(torch.full_like($p.weight.data, 0.3))",
    "no bias": "$p.bias = None",
    "bias zero_": "$p.bias.data.zero_()",
    "tied": "$p.weight = $s.last.weight",
    "data tied": "$p.weight.data = $s.last.weight.data",
    "data of last": "$p.weight.data.copy_($s.last.weight.data)",
    "eval": "$p.eval()",
    "eval of all": "$s.eval()",
    "train": "$s.eval()\n$p.train()",
    "training": "$p.training = False",
    "momentum": "$p.momentum = 0.5",
    "running": "$p.running_mean.fill_(1.0)",
    "reset running": "$p.reset_running_stats()",
    "reset": "$p.reset_parameters()\nfill($p)",
    "init": "nn.init.constant_($p.weight, 0.3)",
    "init bias": "if $p.bias is not None:\n    nn.init.ones_($p.bias)",
    "init eye": "nn.init.eye_($p.weight)",
    "apply": "$p.apply(set_weights)",
    "apply to all": "$s.apply(set_weights)",
    "weight_norm": "nn.utils.weight_norm($p)",
    "buffer": "$p.register_buffer('extra', torch.ones(2))",
    "new parameter": "$p.register_parameter('extra', nn.Parameter(torch.ones(2)))",
    "new part": "$p.add_module('extra', nn.Linear(1, 1))\nfill($p)",
    "attribute": "$p.scale = 2\nprint('scale', $p.scale)",
    "hook": "$p.register_forward_hook(lambda module, given, result: 2 * result)",
    "parameters": "for q in $p.parameters():\n    q.data.mul_(0.5)",
    "named": "for name, q in $s.named_parameters():\n    if 'weight' in name:\n        q.data.mul_(0.5)",
    "modules": "for m in $s.modules():\n    if isinstance(m, nn.Linear):\n        m.weight.data.fill_(0.2)\n        m.bias.data.zero_()",
    "children": "for m in $s.children():\n    for q in m.parameters():\n        q.data.add_(0.1)",
    "function": "scale($p)",
    "function of a parameter": "scale_parameter($p.weight)",
    "function gives": "$p = scaled($p)",
    "method": "SCALER.apply($p)",
    "average": "for a, b in zip($p.parameters(), $s.last.parameters()):\n    a.data.mul_(0.9).add_(b.data, alpha=0.1)",
    "setattr": "setattr($p, 'weight', nn.Parameter(torch.full_like($p.weight.data, 0.4)))",
    "vector": "v = nn.utils.parameters_to_vector($p.parameters())\nnn.utils.vector_to_parameters(v * 2, $p.parameters())",
    "delattr": "del $p.bias\n$p.register_parameter('bias', None)",
}
_HELPERS = {
    "set_weights": "def set_weights(m):\n    if isinstance(m, nn.Linear):\n        nn.init.constant_(m.weight, 0.1)\n        m.bias.data.fill_(0.2)\n",
    "scale(": "def scale(part):\n    part.weight.data.mul_(2)\n",
    "scale_parameter(": "def scale_parameter(w):\n    with torch.no_grad():\n        w.mul_(2)\n",
    "scaled(": "def scaled(part):\n    part.weight.data.mul_(2)\n    return part\n",
    "SCALER": "class Scaler:\n    def apply(self, part):\n        part.weight.data.mul_(2)\n\n\nSCALER = Scaler()\n",
}
WAYS = {
    "direct": "$here",
    "variable": "part = $p\n$change",
    "loop": "for part in $many:\n    $change",
    "list": "for part in [$p]:\n    $change",
    "range": "for i in range(len($many)):\n    $numbered",
    "function": "def change(part):\n    $change\n\nchange($p)",
    "isinstance": "if isinstance($p, nn.Module):\n    $here",
    "no_grad": "with torch.no_grad():\n    $here",
}
_NET = "class Net(nn.Module):\n    def __init__(self$given):\n        super().__init__()\n        $init\n        self.last = nn.Linear(3, 2)\n        $inside\n\n    $members\n    def forward(self, x):\n        $forward\n        return self.last(x)\n"
CODE = {
    "constructor": ("self", "", ""),
    "method": ("self", "\n    def change(self):\n        $body\n", "net.change()"),
    "function": ("net", "\ndef change_net(net):\n    $body\n", "change_net(net)"),
    "other class": (
        "self.net",
        "\nclass Trainer:\n    def __init__(self, net):\n        self.net = net\n\n    def change(self):\n        $body\n",
        "trainer = Trainer(net)\ntrainer.change()",
    ),
    "script": ("net", "", "$body"),
}
_MADE = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)"
_TRAIN = "for _ in range(2):\n    optimizer.zero_grad()\n    loss = net(x).pow(2).sum()\n    loss.backward()\n    optimizer.step()\n    print('loss', loss.item())"
# What stands before the change, right behind it, and at last.
TRAINING = {
    "none": ("", ""),
    "before": ("", f"{_MADE}\n{_TRAIN}"),
    "after": (_MADE, _TRAIN),
    "between": (f"{_MADE}\n{_TRAIN}", _TRAIN),
    "what is trained": (
        "",
        _MADE.replace("net.parameters()", "[q for q in net.parameters() if q.requires_grad]") + f"\n{_TRAIN}",
    ),
}
VIEWERS = {
    "output": ("", "net.eval()\nprint(net(x).detach())"),
    "sum": ("", "print(sum(q.sum().item() for q in net.parameters()))"),
    "count": (
        "",
        "print(sum(q.numel() for q in net.parameters()), sum(q.numel() for q in net.parameters() if q.requires_grad))",
    ),
    "keys": ("", "print(list(net.state_dict()))"),
    "values": ("", "for k, v in net.state_dict().items():\n    print(k, v)"),
    "names": ("", "print([name for name, _ in net.named_parameters()], [name for name, _ in net.named_modules()])"),
    "alias": ("kept = $p", "print(kept.weight.detach())"),
    "alias of the weight": ("w = $p.weight", "print('w', w.detach())"),
    "alias of the data": ("w = $p.weight.data", "print('w', w.detach())"),
    "list of parameters": ("ps = list(net.parameters())", "print(sum(q.sum().item() for q in ps))"),
    "copy": ("old = copy.deepcopy(net)", "print(old(x).detach(), sum(q.sum().item() for q in old.parameters()))"),
    "state": ("state = net.state_dict()", "for k, v in state.items():\n    print(k, v)"),
    "copied state": (
        "state = {k: v.clone() for k, v in net.state_dict().items()}",
        "for k, v in state.items():\n    print(k, v)",
    ),
    "object": (
        "class Keeper:\n    def __init__(self, part):\n        self.part = part\n\n    def show(self):\n        print('kept', self.part.weight.sum().item())\n\n\nkeeper = Keeper($p)",
        "keeper.show()",
    ),
    "other module": ("other = nn.Sequential($p, nn.Tanh())", "print(other[0].weight.detach())"),
}


def write(place: str, change: str, way: str, code: str, training: str, viewer: str) -> str | None:
    """The script of a part that lies at a place and is changed."""
    where, how, text = PLACES[place], CHANGES[change], WAYS[way]
    if "$many" in text and not where.many:
        return None
    changes = {
        hole: filled(how, p=name)
        for hole, name in {"change": "part", "here": where.part, "numbered": f"{where.many}[i]"}.items()
    }
    body = filled(filled(text, **changes), p=where.part, many=where.many)
    holder, layout, call = CODE[code]
    inside = filled(body, s=holder)
    given = ", part" if place == "given" else ""
    net = filled(
        _NET,
        given=given,
        init=where.init,
        inside=inside if code == "constructor" else "",
        members=where.members,
        forward=where.forward,
    )
    scene = net + filled(layout, body=inside)
    helpers = [helper for name, helper in _HELPERS.items() if name in body]
    fill = "def fill(net):\n    for q in net.parameters():\n        q.data.copy_(torch.linspace(-0.5, 0.6, q.numel()).view(q.shape))\n"
    made = f"x = torch.linspace(-1, 1, 6).view(2, 3)\nnet = Net({'nn.Linear(3, 3)' if given else ''})\nfill(net)"
    if place in ("list", "global"):
        made += "\nfor part in " + ("net.plain" if place == "list" else "[PART]") + ":\n    fill(part)"
    before, after = VIEWERS[viewer]
    ahead, behind = TRAINING[training]
    lines = [
        "import copy\n" + HEAD,
        fill,
        where.setup,
        *helpers,
        scene,
        made,
        before,
        ahead,
        filled(call, body=body),
        "print(net(x).detach())",
        behind,
        after,
    ]
    return "\n".join(filled(filled(line, p=where.part), s="net") for line in lines if line) + "\n"


MODULES = Matrix(
    "modules",
    {"place": PLACES, "change": CHANGES, "way": WAYS, "code": CODE, "training": TRAINING, "viewer": VIEWERS},
    write,
)
