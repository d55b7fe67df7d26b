"""Automatic differentiation."""

import torch

from tests.semantics.cases import Case, case, n, nan, program, t, u

TITLE = "Automatic differentiation"
_CORNERS = {"x": t([-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0])}
_ORIGIN = {"x": t([0.0, 0.0, 1.0]), "y": t([0.0, 1.0, 2.0])}
_TIES = {"x": t([[1.0, 3.0, 3.0, 0.0], [2.0, 2.0, 2.0, 2.0]])}
_PAIR = {"x": t([1.0, 2.0, 3.0]), "y": t([1.0, 3.0, 2.0])}


def _descend(
    init: str,
    forward: str,
    *,
    steps: int = 3,
    optimizer: str = "torch.optim.SGD(model.parameters(), lr=0.1)",
    result: str = "model.w",
) -> str:
    """A program that trains `Model` on constant data."""
    body = "\n".join(f"        {line}" for line in init.split("\n"))
    return f"""

class Model(nn.Module):
    def __init__(self):
        super().__init__()
{body}

    def forward(self, x):
        {forward}


def call():
    model = Model()
    optimizer = {optimizer}
    x = torch.tensor([1.0, 2.0])
    for step in range({steps}):
        optimizer.zero_grad()
        loss = model(x)
        loss.backward()
        optimizer.step()
    return {result}
"""


_W = "self.w = nn.Parameter(torch.tensor([0.5, -0.25]))"

_POWER = "NaN as gradient of a power with exponent 0 at 0"
_CORNER = "JAX's own gradient at a corner"

CASES: list[Case] = [
    case(
        "x.clamp(0, 1) gradient at x = 0 and 1",
        _CORNERS,
        "x.clamp(0, 1), torch.clamp(x, -1, 3), x.clip(0, 1)",
        grad=True,
    ),
    case(
        "torch.clamp_min(x, 0) gradient at 0",
        _CORNERS,
        "torch.clamp_min(x, 0), x.clamp(min=0), x.clamp_max(1), torch.clamp(x, max=0.5)",
        grad=True,
    ),
    case(
        "F.relu(x) gradient at 0",
        _CORNERS,
        "F.relu(x), torch.relu(x), x.relu(), nn.ReLU()(x), torch.maximum(x, torch.zeros(8))",
        grad=True,
    ),
    case(
        "F.leaky_relu(x) gradient at 0",
        _CORNERS,
        "F.leaky_relu(x), nn.LeakyReLU(0.2)(x), F.prelu(x, torch.tensor([0.25]))",
        grad=True,
    ),
    case("F.hardtanh(x) gradient at -1 and 1", _CORNERS, "F.hardtanh(x), nn.Hardtanh(0, 6)(x)", grad=True),
    case("F.relu6(x) gradient at 0 and 6", _CORNERS, "F.relu6(x), nn.ReLU6()(x)", grad=True),
    case(
        "F.hardsigmoid(x), F.hardswish(x) gradient at -3 and 3",
        _CORNERS,
        "F.hardsigmoid(x), F.hardswish(x), nn.Hardswish()(x)",
        grad=True,
    ),
    case(
        "x.max(0).values gradient at ties",
        _TIES,
        "x.max(0).values, x.min(1)[0], x.max(1).values, x.max(), x.amax(1)",
        grad=True,
    ),
    case(
        "x.max(0).values gradient at ties",
        _TIES,
        "x.cummax(1).values, x.sort(dim=1, stable=True).values, x.median(1).values",
        grad=True,
    ),
    case("x.median() gradient", {"x": n(6)}, "x.median(), x.median(0).values", grad=True),
    case(
        "x.norm() gradient at x = 0",
        {"x": torch.zeros(2, 3)},
        "x.norm(), torch.norm(x, dim=1), torch.linalg.norm(x), torch.linalg.vector_norm(x, dim=0), x.norm(p=1), x.norm(3)",
        grad=True,
    ),
    case(
        "x.norm() gradient at x = 0",
        {"x": torch.zeros(2, 3)},
        "F.normalize(x, dim=1), F.cosine_similarity(x, x + 1)",
        grad=True,
    ),
    case(
        "x.std() gradient for constant x",
        {"x": torch.ones(4)},
        "x.std(), x.std(0), torch.std(x, unbiased=False)",
        grad=True,
    ),
    case(
        "torch.cdist(x, y) gradient where x = y",
        {"x": t([[1.0, 2.0], [3.0, 4.0]]), "y": t([[1.0, 2.0]])},
        "torch.cdist(x, y)",
        grad=True,
    ),
    case(
        "torch.where(x > 0, torch.sqrt(torch.where(x > 0, x, 1.0)), 0.0) gradient at 0",
        {"x": t([0.0, 4.0])},
        "torch.where(x > 0, torch.sqrt(torch.where(x > 0, x, 1.0)), 0.0)",
        grad=True,
    ),
    case(
        "torch.where(x > 0, torch.sqrt(torch.where(x > 0, x, 1.0)), 0.0) gradient at 0",
        {"x": t([0.0, 4.0])},
        "torch.where(x > 0, torch.sqrt(x), 0.0)",
        grad=True,
    ),
    program(
        "loss.backward() twice",
        "\n\ndef call(x):\n    w = torch.tensor([1.0, 2.0], requires_grad=True)\n    (w * x).sum().backward()\n    (w * w * x).sum().backward()\n    return w.grad\n",
        {"x": t([1.0, 3.0])},
        gap="T2J500",
    ),
    program(
        "loss.backward() twice",
        _descend(_W, "return (self.w * x).sum() ** 2").replace("optimizer.zero_grad()\n        ", ""),
        gap="T2J500",
    ),
    case("(x.detach() * x).sum()", {"x": n(3)}, "(x.detach() * x).sum(), x.data * x, torch.detach(x) + x", grad=True),
    case(
        "with torch.no_grad(): t = f(x)",
        {"x": n(3)},
        "with torch.no_grad():\n    s = torch.exp(x)\nreturn s * x",
        grad=True,
    ),
    program(
        "x.register_hook(lambda g: 2 * g)",
        "\n\ndef call():\n    w = torch.tensor([1.0, 2.0], requires_grad=True)\n    y = w * 3\n    y.register_hook(lambda g: 2 * g)\n    y.sum().backward()\n    return w.grad\n",
        gap="T2J602",
    ),
    program(
        "torch.autograd.grad(y, x, grad_outputs=v)",
        "\n\ndef call(v):\n    x = torch.tensor([1.0, 2.0], requires_grad=True)\n    y = x ** 3\n    (g,) = torch.autograd.grad(y, x, grad_outputs=v)\n    return g\n",
        {"v": t([1.0, -1.0])},
    ),
    program(
        "torch.autograd.grad(y, x, grad_outputs=v)",
        "\n\ndef call():\n    x = torch.tensor([1.0, 2.0], requires_grad=True)\n    y = (x ** 3).sum()\n    return torch.autograd.grad(y, x)[0]\n",
    ),
    program(
        "z.grad (complex z)",
        "\n\ndef call():\n    z = torch.tensor([1.0 + 2.0j], requires_grad=True)\n    loss = (z * (2 - 1j)).real.sum() + (z.abs() ** 2).sum()\n    loss.backward()\n    return torch.view_as_real(z.grad)\n",
        gap="T2J500",
    ),
    program(
        "class Fn(torch.autograd.Function)   (custom backward)",
        "\n\nclass Round(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return torch.round(x)\n\n    @staticmethod\n    def backward(ctx, g):\n        return g * 3\n\n\ndef call(x):\n    return Round.apply(x) * 2\n",
        {"x": n(3) * 4},
        grad=True,
    ),
    program(
        "p.grad of a parameter the loss does not use",
        _descend(
            _W + "\nself.unused = nn.Parameter(torch.tensor([1.0]))",
            "return (self.w * x).sum() ** 2",
            optimizer="torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)",
            result="model.w, model.unused",
        ),
    ),
    program(
        "a, b share one nn.Parameter (tied weights)",
        _descend(
            "self.a = nn.Linear(2, 2, bias=False)\nself.b = nn.Linear(2, 2, bias=False)\nnn.init.eye_(self.a.weight)\nself.b.weight = self.a.weight",
            "return self.b(self.a(x)).sum()",
            result="model(torch.ones(2))",
        ),
    ),
    program(
        "a, b share one nn.Parameter (tied weights)",
        _descend(
            "self.a = nn.Linear(2, 2, bias=False)\nself.b = nn.Linear(2, 2, bias=False)\nnn.init.eye_(self.a.weight)\nself.b.weight = self.a.weight",
            "return self.b(self.a(x)).sum()",
            result="model.b(torch.ones(2)), model.a(torch.ones(2))",
        ),
        flag="T2J604",
    ),
    program(
        'register_buffer("scale", ...)',
        _descend(
            _W + '\nself.register_buffer("scale", torch.tensor([2.0]))',
            "return (self.w * self.scale * x).sum() ** 2",
            result="model.w, model.scale",
        ),
    ),
    case(
        "F.max_pool1d(x, 2) gradient at ties",
        {"x": t([[1.0, 1.0, 2.0, 3.0, 3.0, 3.0]])},
        "F.max_pool1d(x, 2), F.max_pool2d(x[None], (1, 3)), F.adaptive_max_pool1d(x, 2)",
        grad=True,
    ),
    case(
        "x.abs().pow(0.5), torch.pow(x, 0.0) gradient at 0",
        {"x": t([0.0, 2.0, -1.0])},
        "x ** 0, x.pow(2), x ** 1, x ** 3, torch.pow(x, 1)",
        grad=True,
    ),
    case(
        "x.abs().pow(0.5), torch.pow(x, 0.0) gradient at 0",
        {"x": t([0.0, 2.0, -1.0])},
        "torch.pow(x, 0.0), x.pow(0)",
        grad=True,
    ),
    case(
        "x.abs().pow(0.5), torch.pow(x, 0.0) gradient at 0",
        {"x": t([0.0, 2.0, -1.0])},
        "x ** 0.0",
        grad=True,
        bug=_POWER,
    ),
    case(
        "x.abs().pow(0.5), torch.pow(x, 0.0) gradient at 0",
        {"x": t([0.0, 2.0, -1.0]), "p": 0.0},
        "x ** p, torch.pow(x, p)",
        grad=True,
        bug=_POWER,
    ),
    case(
        "x[mask].sum() inside a compiled step",
        {"x": n(4), "mask": t([True, False, True, True])},
        "x[mask].sum(), x[x > 0].mean()",
        grad=True,
    ),
    program(
        "x[mask].sum() inside a compiled step",
        _descend(_W, "y = self.w * x\n        return y[y > 0].sum() + (y ** 2).sum()"),
    ),
    program(
        "if loss.item() > 1: ...",
        _descend(_W, "return ((self.w * x).sum() - 3) ** 2").replace(
            "        optimizer.step()\n", "        if loss.item() > 1:\n            optimizer.step()\n"
        ),
        gap="T2J500",
    ),
    case(
        "torch.func.vmap(f)(x), jacrev, hessian",
        {"x": n(3)},
        "f = lambda v: torch.sin(v) * v.sum()\nreturn torch.func.vmap(torch.sin)(x), torch.func.jacrev(f)(x), torch.func.hessian(lambda v: (v ** 3).sum())(x), torch.func.grad(lambda v: (v ** 2).sum())(x), torch.func.vjp(f, x)[1](x)[0], torch.func.jvp(f, (x,), (x,))[1]",
    ),
    case(
        "torch.utils.checkpoint.checkpoint(f, x)",
        {"x": n(3)},
        "from torch.utils.checkpoint import checkpoint\nreturn checkpoint(torch.sin, x, use_reentrant=False)",
        grad=True,
    ),
    case("x.abs() gradient at 0", _CORNERS, "x.abs(), torch.abs(x), torch.linalg.vector_norm(x, 1)", grad=True),
    case("x.abs() gradient at 0", _CORNERS, "abs(x)", grad=True, bug_plain=_CORNER),
    case(
        "F.l1_loss(x, y) gradient where x = y",
        _PAIR,
        "F.l1_loss(x, y), nn.L1Loss()(x, y), F.pairwise_distance(x, y, p=1, eps=0.0), F.smooth_l1_loss(x, y), F.huber_loss(x, y)",
        grad=True,
    ),
    case(
        "F.l1_loss(x, y) gradient where x = y",
        _PAIR,
        "torch.cdist(x[:, None], y[:, None], p=1), torch.norm(x - y, p=1), torch.dist(x, y, 1), (x - y).norm(1)",
        grad=True,
    ),
    case("torch.atan2(x, y) gradient at (0, 0)", _ORIGIN, grad=True, body="torch.atan2(x, y)"),
    case(
        "x ** y (tensors, x = 0, y = 0): gradient of x",
        {"x": t([0.0, 0.0, 2.0]), "y": t([0.0, 1.0, 2.0])},
        "x ** y, torch.pow(x, y)",
        grad=True,
        bug_plain=_POWER,
    ),
    case(
        "torch.xlogy(x, y) gradient of x at x = 0, y <= 0",
        {"x": t([0.0, 1.0]), "y": t([0.0, 2.0])},
        "torch.xlogy(x, y.detach())",
        grad=True,
    ),
    case(
        "torch.fmax(x, y) gradient at ties",
        {"x": t([1.0, nan, 2.0]), "y": t([1.0, 2.0, nan])},
        "torch.fmax(x, y), torch.fmin(x, y)",
        grad=True,
    ),
    case(
        "torch.clamp(x, min=y) (tensor bound): gradient at ties",
        _PAIR,
        "torch.clamp(x, min=y), x.clamp(max=y), torch.clamp(x, y, y + 1)",
        grad=True,
    ),
    case("torch.i0(x) gradient at 0", {"x": t([0.0, 1.0, -2.0])}, "torch.i0(x), torch.special.i0e(x)", grad=True),
    case("torch.angle(x) (real): gradient at 0", {"x": t([0.0, 1.0, -2.0])}, "torch.angle(x)", grad=True),
    case("torch.logit(x) gradient outside [0, 1]", {"x": t([0.25, 1.5, -0.5])}, "torch.logit(x)", grad=True),
    case(
        "torch.copysign(x, y) gradient at x = 0",
        {"x": t([0.0, 1.0, -2.0]), "y": t([1.0, -1.0, 1.0])},
        "torch.copysign(x, y)",
        grad=True,
    ),
    case("torch.hypot(x, y) gradient at (0, 0)", _ORIGIN, "torch.hypot(x, y)", grad=True, bug=_CORNER),
    case("F.relu(x) gradient at NaN", {"x": t([nan, 1.0])}, "F.relu(x)", grad=True, bug=_CORNER),
    case(
        "F.hardshrink(x), F.softshrink(x) (NaN)",
        {"x": t([nan, 1.0, 0.25])},
        "F.hardshrink(x), F.softshrink(x), F.threshold(x, 0.5, 9.0), F.hardtanh(x), x.clamp(0, 1), F.leaky_relu(x)",
    ),
    case(
        "torch.digamma(x) (x = 0)",
        {"x": t([0.0, -0.0, 2.5])},
        "torch.digamma(x), torch.lgamma(x)",
    ),
    case("x ** 0.5 (x = -inf)", {"x": t([-float("inf"), 4.0, 0.0])}, "x.pow(0.5), torch.sqrt(x)", grad=True),
    case("x ** 0.5 (x = -inf)", {"x": t([-float("inf"), 4.0, 0.0])}, "x ** 0.5", bug="infinity instead of NaN"),
    case(
        "x.abs().pow(0.5), torch.pow(x, 0.0) gradient at 0",
        {"x": u(4)},
        "x.prod(), x.cumprod(0), x.cumsum(0), torch.logsumexp(x, 0), x.var()",
        grad=True,
    ),
]
