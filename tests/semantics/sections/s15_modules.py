"""Modules."""

from tests.semantics.cases import Case, n, program

TITLE = "Modules"


def _model(init: str, forward: str = "return x", call: str = "return Model()(x)") -> str:
    def indented(text: str, width: int) -> str:
        return "\n".join(" " * width + line for line in text.split("\n"))

    return f"""

class Model(nn.Module):
    def __init__(self):
        super().__init__()
{indented(init, 8)}

    def forward(self, x):
{indented(forward, 8)}


def call(x):
{indented(call, 4)}
"""


_X = {"x": n(4, 3)}
_LOST = """self.f = nn.Linear(3, 2)
self.more = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
"""
_SEQUENCE = """self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))
self.more = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
for index in (0, 2):
    nn.init.constant_(self.body[index].weight, 0.3)
    nn.init.constant_(self.body[index].bias, 0.2)
for index in range(2):
    nn.init.constant_(self.more[index].weight, -0.3)
    nn.init.constant_(self.more[index].bias, 0.1)"""

CASES: list[Case] = [
    program(
        "nn.Linear(50, 2000) initial weight and bias",
        _model("self.f = nn.Linear(50, 40)", call="model = Model()\nreturn model.f.weight, model.f.bias"),
        _X,
        random=True,
    ),
    program(
        "nn.Conv2d(3, 400, 5) initial bias",
        _model("self.f = nn.Conv2d(3, 60, 5)", call="model = Model()\nreturn model.f.weight, model.f.bias.reshape(-1)"),
        _X,
        random=True,
    ),
    program(
        "nn.Embedding(500, 200) initial weight",
        _model("self.f = nn.Embedding(50, 20)", call="return Model().f.weight"),
        _X,
        random=True,
    ),
    program(
        "nn.Embedding(5, 3, padding_idx=1).weight[1]",
        _model("self.f = nn.Embedding(5, 3, padding_idx=1)", call="return Model().f.weight[1]"),
        _X,
    ),
    program(
        "nn.LSTM(30, 64) initial weights",
        _model(
            "self.f = nn.LSTM(10, 16)",
            call="model = Model()\nreturn model.f.weight_ih_l0, model.f.weight_hh_l0, model.f.bias_ih_l0",
        ),
        _X,
        random=True,
    ),
    program(
        "nn.LayerNorm(4), nn.BatchNorm1d(4) parameters",
        _model(
            "self.a = nn.LayerNorm(4)\nself.b = nn.BatchNorm1d(4)",
            call="model = Model()\nreturn model.a.weight, model.a.bias, model.b.weight, model.b.bias",
        ),
        _X,
    ),
    program(
        "nn.LayerNorm(4), nn.BatchNorm1d(4) parameters",
        _model("self.b = nn.BatchNorm1d(4)", call="model = Model()\nreturn model.b.running_mean, model.b.running_var"),
        _X,
        gap="T2J603",
    ),
    program(
        "nn.MultiheadAttention(4, 2).in_proj_weight",
        _model(
            "self.a = nn.MultiheadAttention(8, 2)",
            call="model = Model()\nreturn model.a.in_proj_weight, model.a.out_proj.weight",
        ),
        _X,
        random=True,
    ),
    program(
        "nn.MultiheadAttention(4, 2).in_proj_weight",
        _model(
            "self.a = nn.MultiheadAttention(8, 2)",
            call="model = Model()\nreturn model.a.in_proj_bias, model.a.out_proj.bias",
        ),
        _X,
    ),
    program(
        "nn.Linear on a batch",
        _model(
            "self.f = nn.Linear(3, 2)\nnn.init.constant_(self.f.weight, 0.5)\nnn.init.zeros_(self.f.bias)",
            "return self.f(x), self.f(x[0]), self.f(x[None])",
        ),
        _X,
    ),
    program(
        "model.eval()",
        _model(
            "self.d = nn.Dropout(0.5)\nself.n = nn.BatchNorm1d(3)",
            "return self.n(self.d(x))",
            "model = Model()\nmodel.eval()\na = model(x)\nreturn a, model(2 * x)",
        ),
        _X,
    ),
    program(
        "model.eval()",
        _model(
            "self.d = nn.Dropout(0.5)",
            "return self.d(x)",
            "model = Model()\nmodel.eval()\na = model(x)\nmodel.train()\nb = model(x)\nreturn a, bool((b == 0).any() | (b != x).any())",
        ),
        _X,
    ),
    program(
        "model.eval()",
        _model("self.d = nn.Dropout(0.5)", "return self.d(x)", "model = Model()\nmodel.eval()\nreturn model.training"),
        _X,
        gap="T2J603",
    ),
    program(
        "nn.BatchNorm1d in training (second batch)",
        _model(
            "self.n = nn.BatchNorm1d(3)",
            "return self.n(x)",
            "model = Model()\na = model(x)\nb = model(5 * x + 1)\nreturn a, b",
        ),
        _X,
    ),
    program(
        "nn.BatchNorm1d in eval after few training steps",
        _model(
            "self.n = nn.BatchNorm1d(3)", "return self.n(x)", "model = Model()\nmodel(x)\nmodel.eval()\nreturn model(x)"
        ),
        _X,
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(_SEQUENCE, "x = self.body(x)\nfor layer in self.more:\n    x = layer(x)\nreturn x"),
        _X,
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(
            _SEQUENCE,
            call="model = Model()\nreturn model.body[0].weight, len(model.body), model.more[1].bias, len(model.more)",
        ),
        _X,
    ),
    program(
        "for p in model.parameters(): p.requires_grad_(False)",
        _model(
            "self.a = nn.Linear(3, 3, bias=False)\nself.b = nn.Linear(3, 1, bias=False)\nnn.init.constant_(self.a.weight, 0.2)\nnn.init.constant_(self.b.weight, 0.3)",
            "return self.b(self.a(x))",
            "model = Model()\nfor p in model.a.parameters():\n    p.requires_grad_(False)\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)\nfor _ in range(3):\n    optimizer.zero_grad()\n    loss = (model(x) ** 2).mean()\n    loss.backward()\n    optimizer.step()\nreturn model.a.weight, model.b.weight",
        ),
        _X,
        gap="T2J502",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(_LOST + "for p in self.parameters():\n    nn.init.constant_(p, 0.3)", "return self.f(x)"),
        _X,
        gap="T2J303",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(_LOST + "for name, p in self.named_parameters():\n    nn.init.constant_(p, 0.3)", "return self.f(x)"),
        _X,
        gap="T2J303",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(
            _LOST + "for layer in self.more:\n    nn.init.constant_(layer.weight, 0.3)\n    nn.init.zeros_(layer.bias)",
            "return self.more[1](x[:, :2])",
        ),
        _X,
        gap="T2J303",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(
            _LOST + "last = self.more[-1]\nnn.init.constant_(last.weight, 0.3)\nnn.init.zeros_(last.bias)",
            "return self.more[1](x[:, :2])",
        ),
        _X,
        gap="T2J303",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(
            _LOST
            + "for m in self.modules():\n    if isinstance(m, nn.Linear):\n        nn.init.constant_(m.weight, 0.3)\n        nn.init.zeros_(m.bias)",
            "return self.f(x)",
        ),
        _X,
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        _model(
            _LOST,
            "return self.f(x)",
            "model = Model()\nfor m in model.modules():\n    if isinstance(m, nn.Linear):\n        nn.init.constant_(m.weight, 0.3)\n        nn.init.zeros_(m.bias)\nreturn model(x)",
        ),
        _X,
        gap="T2J",
    ),
    program(
        "nn.Sequential(a, b), nn.ModuleList",
        "\n\ndef fill(m):\n    if isinstance(m, nn.Linear):\n        nn.init.constant_(m.weight, 0.3)\n        nn.init.zeros_(m.bias)\n"
        + _model(_LOST + "self.apply(fill)", "return self.f(x)"),
        _X,
    ),
    program(
        "nn.Flatten()(x)", _model("self.f = nn.Flatten()", "return self.f(x), nn.Flatten(0)(x)"), {"x": n(2, 3, 4)}
    ),
    program(
        "nn.Transformer*Layer defaults",
        _model(
            "self.t = nn.TransformerEncoderLayer(4, 2, dim_feedforward=6)\nnn.init.constant_(self.t.self_attn.in_proj_weight, 0.2)\nnn.init.eye_(self.t.self_attn.out_proj.weight)\nnn.init.eye_(self.t.linear1.weight)\nnn.init.eye_(self.t.linear2.weight)\nnn.init.constant_(self.t.linear1.bias, -0.5)\nnn.init.zeros_(self.t.linear2.bias)",
            "return self.t(x)",
            "model = Model()\nmodel.eval()\nreturn model(x)",
        ),
        {"x": n(3, 2, 4)},
    ),
    program(
        "nn.Transformer*Layer defaults",
        _model(
            "self.t = nn.TransformerEncoderLayer(4, 2)",
            call="t = Model().t\nreturn t.linear1.weight.shape, t.norm1.eps, t.norm_first",
        ),
        {"x": n(3, 2, 4)},
    ),
]
