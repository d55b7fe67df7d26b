"""Tables of the family `models`: functions and objects that change the models they are given."""

MODEL = """def __init__(self):
    super().__init__()
    self.fc = nn.Linear(3, 3)
    self.rest = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    self.register_buffer('b', torch.ones(3))
    nn.init.eye_(self.fc.weight)
    nn.init.zeros_(self.fc.bias)
    nn.init.constant_(self.rest[0].weight, 0.25)
    nn.init.constant_(self.rest[0].bias, -0.5)

def forward(self, x: Tensor):
    return self.rest(self.fc(x)) + self.b"""

CHANGES = (
    "m.fc.weight.data.mul_(2)",
    "m.fc.weight.data[0] = 1.0",
    "with torch.no_grad():\n    m.fc.weight *= 2",
    "with torch.no_grad():\n    m.fc.bias.copy_(m.b)",
    "with torch.no_grad():\n    m.fc.weight[0].fill_(3.0)",
    "nn.init.ones_(m.fc.weight)",
    "nn.init.constant_(m.fc.bias, 0.5)",
    "m.b += 1",
    "m.b.mul_(2)",
    "m.b[0] = 5.0",
    "m.b = torch.full((3,), 2.0)",
    "m.b.data = torch.full((3,), 2.0)",
    "torch.add(m.b, 1, out=m.b)",
    "m.b.copy_(m.fc.bias.detach())",
    "m.fc = nn.Identity()",
    "m.fc.weight = nn.Parameter(torch.ones(3, 3))",
    "m.rest[0] = nn.Identity()",
    "m.rest[0].weight.data.mul_(0.5)",
    "nn.init.zeros_(m.rest[0].weight)",
    "m.rest.eval()",
    "m.eval()",
    "for p in m.parameters():\n    p.data.mul_(2)",
    "with torch.no_grad():\n    for p in m.parameters():\n        p.add_(1)",
    "for name, p in m.named_parameters():\n    if 'weight' in name:\n        nn.init.ones_(p)",
    "for layer in m.modules():\n    if isinstance(layer, nn.Linear):\n        nn.init.ones_(layer.weight)",
    "for layer in m.rest:\n    if isinstance(layer, nn.Linear):\n        layer.weight.data.fill_(1.0)",
    "m.apply(ones)",
    "m.load_state_dict({k: v * 2 for k, v in m.state_dict().items()})",
    "m.requires_grad_(False)",
    "w = m.fc.weight\nwith torch.no_grad():\n    w.mul_(2)",
    "fc = m.fc\nfc.weight.data.mul_(2)",
    "ones(m.fc)",
    "ones(m.rest[0])",
    "scale(m.fc, 2.0)",
    "pass",
)  # of a model `m`
RESULTS = ("", "return m", "return m.b.sum()", "return m, 2", "return m.b * 1", "return {'m': m}")
CALLS = (
    "change(net)",
    "change(m=net)",
    "change(*[net])",
    "net = change(net)",
    "other = change(net)",
    "change(net)\nchange(net)",
    "for _ in range(2):\n    change(net)",
    "if flag:\n    change(net)",
    "k = change(net)",
    "other = net\nchange(other)",
    "other = net\nchange(net)\ny = other(x)",
    "import copy\nother = copy.deepcopy(net)\nchange(net)\ny = other(x)",
    "nets = [net, N{i}()]\nfor m in nets:\n    change(m)",
    "nets = [net]\nchange(nets[0])",
    "d = {'net': net}\nchange(d['net'])",
    "def inner():\n    change(net)\ninner()",
    "def inner(t):\n    change(net)\n    return net(t)\ny = inner(x)",
    "f = lambda: change(net)\nf()",
    "y = net(x)\nchange(net)\ny = (y, net(x))",
    "y = (net(x), change(net), net(x))[::2]",
    "y = net(x) + (change(net) is None)",
    "w = net.fc.weight\nchange(net)\ny = w * 1",
    "w = net.fc.weight.clone()\nchange(net)\ny = w * 1",
    "b = net.b\nchange(net)\ny = b * 1",
    "sd = net.state_dict()\nchange(net)\ny = sd['b'] * 1",
    "ps = list(net.parameters())\nchange(net)\ny = [p * 1 for p in ps]",
    "class Holder{i}:\n    def __init__(self, net):\n        self.net = net\n    def run(self):\n        change(self.net)\nholder = Holder{i}(net)\nholder.run()\ny = holder.net(x)",
    "class Holder{i}:\n    def __init__(self, net):\n        self.net = net\n    def run(self):\n        change(self.net)\nholder = Holder{i}(net)\nholder.run()",
    "class Outer{i}(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.net = N{i}()\n        change(self.net)\n    def forward(self, x):\n        return self.net(x)\ny = Outer{i}()(x)",
    "class Outer{i}(nn.Module):\n    def __init__(self, net):\n        super().__init__()\n        self.net = net\n    def forward(self, x):\n        return self.net(x)\nouter = Outer{i}(net)\nchange(outer.net)\ny = outer(x)",
    "class Outer{i}(nn.Module):\n    def __init__(self, net):\n        super().__init__()\n        self.net = net\n    def forward(self, x):\n        return self.net(x)\nouter = Outer{i}(net)\nchange(net)\ny = outer(x)",
    "seq = nn.Sequential(net, nn.ReLU())\nchange(seq[0])\ny = seq(x)",
    "seq = nn.Sequential(net, nn.ReLU())\nchange(net)\ny = seq(x)",
    "seq = nn.Sequential(N{i}(), nn.ReLU())\nchange(seq[0])\ny = seq(x)",
    "try:\n    change(net)\nfinally:\n    y = net(x)",
    "with torch.no_grad():\n    change(net)",
    "assert change(net) is not x",
    "from functools import partial\nf = partial(change, net)\nf()",
    "list(map(change, [net]))",
    "done = [change(m) for m in [net]]",
    "net2 = net if flag else N{i}()\nchange(net2)\ny = net2(x)",
    "while flag:\n    change(net)\n    flag = False",
    "{change}",
    "y = net(x)\n{change}",
    "b = net.b\n{change}\ny = b * 1",
    "w = net.fc.weight\n{change}\ny = w * 1",
)  # of `change`, and of a model `net` and an input `x`; `{change}` is one of the changes itself
LAST = ("y, net(x)", "net(x)", "net.b, net(x)", "[p * 1 for p in net.parameters()]", "y", "net.fc(x)")
