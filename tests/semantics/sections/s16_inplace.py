"""In-place operations and tensor state."""

from tests.semantics.cases import Case, case, f64, n, program, t

TITLE = "In-place operations and tensor state"
_X = {"x": n(2, 3)}

_DTYPE = "a type that is not known in advance is not kept by an operation in place"
_INTEGER = "torch refuses a float result in an integer tensor, the translation becomes a float"

CASES: list[Case] = [
    case(
        "x.add_(y) (x float32, y float64)",
        {"x": n(2), "y": n(2, dtype=f64)},
        "x = x.clone()\nx.add_(y)\nreturn x",
        x64=True,
        bug=_DTYPE,
    ),
    case(
        "x.add_(y) (x float32, y float64)", {"x": t([1, 2])}, "y = torch.zeros(2)\ny += x\ny.mul_(x)\ny -= 1\nreturn y"
    ),
    case(
        "x.add_(y) (x float32, y float64)",
        {"x": n(2)},
        "h = torch.ones(2, dtype=torch.float16)\nh += x\nh.mul_(2)\nreturn h",
        rtol=1e-2,
    ),
    case(
        "i.copy_(x) (i integer, x float)",
        {"x": t([1.7, -2.7])},
        "i = torch.zeros(2, 2, dtype=torch.int32)\ni.copy_(x)\nreturn i",
    ),
    case(
        "i.copy_(x) (i integer, x float)",
        {"x": t([1.7, -2.7])},
        "i = torch.zeros(2, 2, dtype=torch.int32)\ni[0] = x\ni[:, 1] = 2.5\ni.fill_(3.9)\nreturn i",
    ),
    case("i += 1.5 (integer tensor)", {}, "i = torch.tensor([1, 2])\ni += 1.5\nreturn i", raises=True, bug=_INTEGER),
    case("i += 1.5 (integer tensor)", {}, "i = torch.tensor([1, 2])\ni /= 2\nreturn i", raises=True, bug=_INTEGER),
    case("x.fill_diagonal_(5.0)", {}, "x = torch.zeros(2, 3)\nx.fill_diagonal_(5.0)\nreturn x"),
    case("x.t_(), x.unsqueeze_(0), x.resize_(...)", {}, "x = torch.arange(6.0).reshape(2, 3)\nx.t_()\nreturn x"),
    case(
        "x.t_(), x.unsqueeze_(0), x.resize_(...)",
        {},
        "x = torch.arange(6.0).reshape(2, 3)\nx.unsqueeze_(0)\nx.squeeze_()\nx.transpose_(0, 1)\nreturn x",
    ),
    case("y = x.view(-1); y[0] = 9; x", _X, "x = x.clone()\ny = x.view(-1)\ny[0] = 9\nreturn x"),
    case("y = x.view(-1); y[0] = 9; x", _X, "x = x.clone()\nx.view(-1)[0] = 9\nx.t()[0, 1] = 4\nreturn x"),
    case("y = x.expand(3, 2).clone(); y[0] = 0", {"x": n(2)}, "y = x.expand(3, 2).clone()\ny[0] = 0\nreturn y"),
    program(
        "def f(x): x.mul_(2); return x.sum() (caller's tensor changes)",
        "\n\ndef double(x):\n    x.mul_(2)\n    return x.sum()\n\n\ndef call(x: Tensor):\n    x = x.clone()\n    s = double(x)\n    return s, x\n",
        _X,
    ),
    program(
        "def f(x): x.mul_(2); return x.sum() (caller's tensor changes)",
        "\n\ndef _double(x: Tensor):\n    x[0] = 1.0\n\n\ndef call(x: Tensor):\n    x = x.clone()\n    _double(x)\n    return x\n",
        _X,
    ),
    program(
        "with torch.no_grad(): p -= lr * p.grad",
        "\n\nclass Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = nn.Parameter(torch.tensor([1.0, 2.0]))\n\n    def forward(self, x):\n        return (self.w * x).sum() ** 2\n\n\ndef call(x):\n    model = Model()\n    for _ in range(2):\n        loss = model(x)\n        model.zero_grad()\n        loss.backward()\n        with torch.no_grad():\n            for p in model.parameters():\n                p -= 0.1 * p.grad\n    return model.w\n",
        {"x": n(2)},
        gap="T2J303",
    ),
    program(
        "with torch.no_grad(): p -= lr * p.grad",
        "\n\ndef call(x):\n    w = torch.tensor([1.0, 2.0], requires_grad=True)\n    for _ in range(2):\n        loss = (w * x).sum() ** 2\n        loss.backward()\n        with torch.no_grad():\n            w -= 0.1 * w.grad\n            w.grad.zero_()\n    return w\n",
        {"x": n(2)},
    ),
    program(
        "torch.set_default_dtype(torch.float64); torch.zeros(2)",
        "\n\ndef call():\n    torch.set_default_dtype(torch.float64)\n    try:\n        return torch.zeros(2), torch.tensor([1.5])\n    finally:\n        torch.set_default_dtype(torch.float32)\n",
        x64=True,
    ),
    case(
        "torch.max(x, dim=1, keepdim=True)[0]",
        _X,
        "torch.max(x, dim=1, keepdim=True)[0], x.sum(1, keepdim=True), x.argmax(1, keepdim=True), x.mean((0, 1), keepdim=True)",
    ),
    case(
        "x.sum(dim=(0, 2))",
        {"x": n(2, 3, 4)},
        "x.sum(dim=(0, 2)), x.mean((-1, 0)), x.amax((0, 1)), x.std((1, 2)), x.all(1), x.prod(1)",
    ),
    case(
        "a.dim(), a.ndimension(), a.size(-1)",
        {"a": n(2, 3)},
        "a.dim(), a.ndimension(), a.size(-1), a.ndim, a.shape[0], a.is_floating_point(), a.dtype",
    ),
    case("x.tolist(), x.item()", _X, "x.tolist(), x.sum().item(), x[0].tolist(), float(x[0, 0]), x.long().tolist()"),
    case(
        "x in (0-d tensor as dict key / set member)",
        {},
        "x = torch.tensor(1.0)\nd = {x: 2}\nreturn d[x]",
        flag="T2J",
        bug="an array as a key raises, without a word about it",
    ),
    case(
        "x.add_(y) (x float32, y float64)",
        {"x": n(2, 3), "y": n(2, 3, seed=1)},
        "out = torch.empty(2, 3)\ntorch.add(x, y, out=out)\ntorch.mul(out, 2, out=out)\nreturn out",
        gap="T2J201",
    ),
]
