"""Normalisation, embedding, attention, dropout."""

from tests.semantics.cases import Case, case, n, program, t, u

TITLE = "Normalisation, embedding, attention, dropout"
_X = {"x": n(2, 3, 4) * 0.01}
_IMG = {"x": n(2, 4, 3, 3)}
_QKV = {"q": n(2, 2, 4, 3), "k": n(2, 2, 6, 3, seed=1), "v": n(2, 2, 6, 5, seed=2)}
_MASK = t([[True, True, False, True, False, True], [False] * 6, [True] * 6, [False, True] * 3])
_FILL = """
def fill(module):
    with torch.no_grad():
        for number, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()) * 0.7 + number).reshape(p.shape) * 0.5)
"""


def _model(init: str, forward: str, *, call: str = "return Model()(x)") -> str:
    """A program whose weights are the same numbers in both libraries."""
    return f"""

class Model(nn.Module):
    def __init__(self):
        super().__init__()
{_indent(init)}

    def forward(self, x):
{_indent(forward)}


def call(x):
    {call}
"""


def _indent(text: str) -> str:
    return "\n".join(f"        {line}" for line in text.strip().split("\n"))


_GATES = """
self.cell = nn.{kind}(3, 2{options})
nn.init.constant_(self.cell.weight_ih_l0, 0.3)
nn.init.constant_(self.cell.weight_hh_l0, -0.2)
nn.init.constant_(self.cell.bias_ih_l0, 0.1)
nn.init.constant_(self.cell.bias_hh_l0, 0.4)
"""

CASES: list[Case] = [
    case(
        "F.layer_norm(x, (4,))",
        {**_X, "w": n(4), "b": n(4, seed=1)},
        "F.layer_norm(x, (4,)), F.layer_norm(x, [4], w, b), F.layer_norm(x, (4,), eps=1e-2), nn.LayerNorm(4)(x)",
        grad=True,
        rtol=1e-3,
    ),
    case(
        "F.layer_norm(x, (3, 4))",
        _X,
        "F.layer_norm(x, (3, 4)), F.layer_norm(x, x.shape[1:]), nn.LayerNorm((3, 4))(x)",
        rtol=1e-3,
    ),
    case(
        "F.rms_norm(x, (4,))",
        {"x": n(2, 4) * 1e-3},
        "F.rms_norm(x, (4,)), F.rms_norm(x, (4,), eps=1e-3), nn.RMSNorm(4)(x)",
        rtol=1e-3,
    ),
    case(
        "F.group_norm(x, 2) (NCHW)",
        {"x": n(2, 4, 3, 3) * 0.01},
        "F.group_norm(x, 2), nn.GroupNorm(4, 4)(x)",
        grad=True,
        rtol=1e-3,
    ),
    case("F.instance_norm(x)", {"x": n(2, 4, 3, 3) * 0.01}, "F.instance_norm(x), nn.InstanceNorm2d(4)(x)", rtol=1e-3),
    program(
        "F.batch_norm(x, m, v, training=True) (running buffers)",
        _model(
            "self.norm = nn.BatchNorm1d(3)",
            "return self.norm(x)",
            call="model = Model()\n    y = model(x)\n    z = model(2 * x)\n    model.eval()\n    return y, z, model(x)",
        ),
        {"x": n(4, 3)},
    ),
    case(
        "F.batch_norm(x, m, v, training=True) (running buffers)",
        {"x": n(4, 3), "m": n(3), "v": u(3), "w": n(3), "b": n(3)},
        "F.batch_norm(x, m, v), F.batch_norm(x, m, v, w, b, eps=0.1), F.batch_norm(x, None, None, training=True)",
    ),
    case(
        "F.batch_norm(x, m, v, training=True) (running buffers)",
        {"x": n(4, 3)},
        "m = torch.zeros(3)\nv = torch.ones(3)\ny = F.batch_norm(x, m, v, training=True)\nreturn y, m, v",
    ),
    program(
        "nn.BatchNorm1d(3, momentum=0.1) (running_mean)",
        _model(
            "self.norm = nn.BatchNorm1d(3, momentum=0.3)",
            "return self.norm(x)",
            call="model = Model()\n    model(x)\n    return model.norm.running_mean",
        ),
        {"x": n(4, 3)},
        gap="T2J603",
    ),
    program(
        "nn.BatchNorm1d(3) (running_var)",
        _model(
            "self.norm = nn.BatchNorm2d(3)",
            "return self.norm(x)",
            call="model = Model()\n    model(x)\n    return model.norm.running_var",
        ),
        {"x": n(2, 3, 2, 2)},
        gap="T2J603",
    ),
    program(
        "nn.BatchNorm1d(3, momentum=None)",
        _model(
            "self.norm = nn.BatchNorm1d(3, momentum=None)",
            "return self.norm(x)",
            call="model = Model()\n    model(x)\n    model(3 * x)\n    model.eval()\n    return model(x)",
        ),
        {"x": n(4, 3)},
    ),
    program(
        "nn.BatchNorm1d(3, track_running_stats=False).eval()",
        _model(
            "self.norm = nn.BatchNorm1d(3, track_running_stats=False)",
            "return self.norm(x)",
            call="model = Model()\n    model.eval()\n    return model(x)",
        ),
        {"x": n(4, 3)},
    ),
    case(
        "F.local_response_norm(x, 3, alpha=1.0)",
        _IMG,
        "F.local_response_norm(x, 3, alpha=1.0), nn.LocalResponseNorm(2)(x)",
    ),
    program(
        "nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))",
        _model(
            "layer = nn.Linear(3, 2, bias=False)\nnn.init.constant_(layer.weight, 0.5)\nself.layer = nn.utils.parametrizations.weight_norm(layer)",
            "return self.layer(x)",
        ),
        {"x": n(4, 3)},
    ),
    case(
        "F.embedding(i, w, padding_idx=0) (gradient)",
        {"i": t([0, 2, 2, 1]), "w": n(3, 2)},
        "F.embedding(i, w, padding_idx=0), F.embedding(i, w)",
        grad=True,
    ),
    case(
        "F.embedding_bag(i, w, offsets)",
        {"i": t([0, 2, 2, 1]), "w": n(3, 2), "o": t([0, 3])},
        "F.embedding_bag(i, w, o), F.embedding_bag(i, w, offsets=o, mode='sum'), F.embedding_bag(i, w, o, mode='max')",
    ),
    case(
        "F.scaled_dot_product_attention(q, k, v) (N, heads, L, E)",
        _QKV,
        "F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k, v, scale=0.5)",
        grad=True,
    ),
    case(
        "F.scaled_dot_product_attention(q, k, v, is_causal=True) (L = 4, S = 6)",
        _QKV,
        "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
    ),
    case(
        "F.scaled_dot_product_attention(q, k, v, m) (m: bool)",
        {**_QKV, "m": t([[True, True, False, True, False, True]] * 4)},
        "F.scaled_dot_product_attention(q, k, v, m), F.scaled_dot_product_attention(q, k, v, attn_mask=m.float())",
        grad=True,
    ),
    case(
        "F.scaled_dot_product_attention(q, k, v, m) (a row of m all False)",
        {**_QKV, "m": _MASK},
        "F.scaled_dot_product_attention(q, k, v, m)",
    ),
    program(
        "nn.MultiheadAttention(...)(q, k, v, attn_mask=m) (m: bool)",
        _model(
            "self.a = nn.MultiheadAttention(4, 2, bias=False, batch_first=True)\nnn.init.eye_(self.a.out_proj.weight)\nnn.init.constant_(self.a.in_proj_weight, 0.3)",
            "mask = torch.triu(torch.ones(3, 3, dtype=torch.bool), diagonal=1)\ny, w = self.a(x, x, x, attn_mask=mask)\nreturn y, w",
        ),
        {"x": n(2, 3, 4)},
    ),
    program(
        "nn.MultiheadAttention(...)(q, k, v, attn_mask=m) (m: bool)",
        _model(
            "self.a = nn.MultiheadAttention(4, 2, batch_first=True)\nnn.init.eye_(self.a.out_proj.weight)\nnn.init.constant_(self.a.in_proj_weight, 0.3)",
            "return self.a(x, x, x, key_padding_mask=torch.tensor([[False, False, True], [False, True, True]]), need_weights=False)[0]",
        ),
        {"x": n(2, 3, 4)},
    ),
    program(
        "nn.MultiheadAttention(8, 2)(x, x, x)[1]",
        _model(
            "self.a = nn.MultiheadAttention(8, 2, bias=False)\nnn.init.eye_(self.a.out_proj.weight)\nnn.init.constant_(self.a.in_proj_weight, 0.3)",
            "return self.a(x, x, x)[1], self.a(x, x, x, average_attn_weights=False)[1]",
        ),
        {"x": n(3, 2, 8)},
    ),
    program(
        "nn.MultiheadAttention(4, 2)(x, x, x) (batch_first=False)",
        _model(
            "self.a = nn.MultiheadAttention(4, 2, bias=False)\nnn.init.eye_(self.a.out_proj.weight)\nnn.init.constant_(self.a.in_proj_weight, 0.3)",
            "return self.a(x, x, x)[0]",
        ),
        {"x": n(3, 2, 4)},
    ),
    case("F.dropout(x, 0.5)", {"x": u(300)}, random=True),
    case(
        "F.dropout(x, 0.5)",
        {"x": u(3)},
        "F.dropout(x, 0.5, training=False), F.dropout(x, 0.0), F.dropout(x, p=1.0), nn.Dropout(0.0)(x)",
    ),
    program(
        "F.dropout(x, 0.5)",
        _model(
            "self.d = nn.Dropout(0.9)",
            "return self.d(x) + F.dropout(x, 0.9, self.training)",
            call="model = Model()\n    model.eval()\n    return model(x)",
        ),
        {"x": n(4, 3)},
    ),
    case(
        "F.dropout(x, 0.3) (p is the DROP probability)",
        {"x": u(300)},
        "F.dropout(x, 0.3), nn.Dropout(0.1)(x)",
        random=True,
    ),
    case(
        "F.dropout2d(x, 0.5)",
        {"x": u(60, 20, 2, 2)},
        "y = F.dropout2d(x, 0.5)\nzero = (y == 0).float().mean((2, 3))\nreturn y, zero",
        random=True,
    ),
    case("F.alpha_dropout(x, p, training=True)", {"x": n(400)}, "F.alpha_dropout(x, 0.3, training=True)", random=True),
    case("F.alpha_dropout(x, p, training=True)", {"x": n(4)}, "F.alpha_dropout(x, 0.3), nn.AlphaDropout(0.0)(x)"),
    case(
        "F.linear(x, w, b)",
        {"x": n(4, 3), "w": n(2, 3), "b": n(2)},
        "F.linear(x, w, b), F.linear(x, w), F.linear(x[0], w, b), F.linear(x[None], w)",
        grad=True,
    ),
    case("F.bilinear(a, b, w)", {"a": n(2, 3), "b": n(2, 4), "w": n(5, 3, 4)}, grad=True),
    program(
        "nn.LSTM (weights as in torch)",
        _FILL
        + _model(
            "self.cell = nn.LSTM(3, 2)",
            "return self.cell(x)",
            call="model = Model()\n    fill(model)\n    return model(x)",
        ),
        {"x": n(4, 2, 3)},
        gap="T2J303",
    ),
    program(
        "nn.LSTM (weights as in torch)",
        _model(_GATES.format(kind="LSTM", options=", batch_first=True"), "y, (h, c) = self.cell(x)\nreturn y, h, c"),
        {"x": n(2, 4, 3)},
    ),
    program(
        "nn.GRU", _model(_GATES.format(kind="GRU", options=""), "y, h = self.cell(x)\nreturn y, h"), {"x": n(4, 2, 3)}
    ),
    program(
        "nn.GRU weights -> eqx.nn.GRUCell",
        _model(
            "self.cell = nn.GRUCell(3, 2)\nnn.init.constant_(self.cell.weight_ih, 0.3)\nnn.init.constant_(self.cell.weight_hh, -0.2)\nnn.init.constant_(self.cell.bias_ih, 0.1)\nnn.init.constant_(self.cell.bias_hh, 0.4)",
            "return self.cell(x), self.cell(x, torch.ones(4, 2))",
        ),
        {"x": n(4, 3)},
    ),
    program(
        'nn.RNN(..., nonlinearity="tanh")[1]',
        _model(_GATES.format(kind="RNN", options=", batch_first=True"), "y, h = self.cell(x)\nreturn y, h, h.shape"),
        {"x": n(2, 4, 3)},
    ),
]
