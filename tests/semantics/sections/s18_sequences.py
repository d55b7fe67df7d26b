"""Recurrent networks with lengths, data loading, data parallelism, averaging."""

from tests.semantics.cases import Case, case, n, program, t
from tests.semantics.sections.s13_optimizers import trained

TITLE = "Recurrent networks with lengths, data loading, data parallelism, averaging"


def _recurrent(make: str, forward: str, call: str = "return Model()(x)", suffixes: tuple[str, ...] = ("l0",)) -> str:
    weights = [
        f"nn.init.constant_(self.rnn.{name}_{suffix}, {value})"
        for suffix in suffixes
        for name, value in (("weight_ih", 0.3), ("weight_hh", -0.2), ("bias_ih", 0.1), ("bias_hh", 0.4))
    ]
    init, body = ("\n".join(f"        {line}" for line in lines) for lines in (weights, forward.split("\n")))
    calls = "\n".join(f"    {line}" for line in call.split("\n"))
    return f"""

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = {make}
{init}

    def forward(self, x):
{body}


def call(x):
{calls}
"""


_LOADER = """

class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return torch.tensor([float(index), 1.0]), index


def call():
    loader = torch.utils.data.DataLoader(Numbers(), batch_size=4{options})
    return {result}
"""
_PACKED = """lengths = torch.tensor([4, 2])
packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
out, h = self.rnn(packed)
out, sizes = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
return out, h"""
_ACCUMULATED = """

def call(x):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for step in range(4):
        loss = ((w * x[step]).sum() - 1) ** 2
        (loss / 2).backward()
        if step % 2 == 1:
            optimizer.step()
            optimizer.zero_grad()
    return w
"""
_DISTRIBUTED = """
import torch.distributed as dist


def call(x):
    {line}
    return x
"""

CASES: list[Case] = [
    program(
        "nn.RNN/LSTM/GRU on pack_padded_sequence(x, lengths)",
        _recurrent("nn.GRU(3, 2, batch_first=True)", _PACKED),
        {"x": n(2, 4, 3)},
    ),
    program(
        "nn.RNN(..., bidirectional=True)",
        _recurrent(
            "nn.RNN(3, 2, bidirectional=True)", "out, h = self.rnn(x)\nreturn out, h", suffixes=("l0", "l0_reverse")
        ),
        {"x": n(4, 2, 3)},
    ),
    program(
        "nn.LSTM(..., proj_size=0), nn.LSTM(num_layers=2, dropout=0.5)",
        _recurrent(
            "nn.LSTM(3, 2, num_layers=2, dropout=0.5)",
            "return self.rnn(x)[0]",
            "model = Model()\nmodel.eval()\nreturn model(x)",
            ("l0", "l1"),
        ),
        {"x": n(4, 2, 3)},
    ),
    program(
        "nn.LSTM(..., proj_size=0), nn.LSTM(num_layers=2, dropout=0.5)",
        _recurrent("nn.GRU(3, 2, num_layers=1, dropout=0.5)", "return self.rnn(x)[0]"),
        {"x": n(4, 2, 3)},
    ),
    program(
        "DistributedSampler(range(10), 4, rank=1, shuffle=False)",
        "\n\ndef call():\n    return list(torch.utils.data.DistributedSampler(range(10), 4, rank=1, shuffle=False))\n",
        gap="T2J200",
    ),
    program(
        "DataLoader(ds, batch_size=4) (10 items)",
        _LOADER.format(options="", result="len(loader), [(x.shape[0], float(x[:, 0].sum())) for x, i in loader]"),
    ),
    program(
        "DataLoader(ds, batch_size=4) (10 items)",
        _LOADER.format(options=", drop_last=True", result="len(loader), [x.shape[0] for x, i in loader]"),
    ),
    program(
        "DataLoader(ds, batch_size=4) (10 items)",
        _LOADER.format(options=", shuffle=True", result="sorted(int(v) for x, i in loader for v in i)"),
    ),
    program(
        "DistributedDataParallel gradients",
        trained("SGD(model.parameters(), 0.1)").replace(
            "model = Model()", "model = nn.parallel.DistributedDataParallel(Model())"
        ),
        flag="T2J",
    ),
    program(
        "SyncBatchNorm variance",
        "\n\nclass Model(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.n = nn.SyncBatchNorm(3)\n\n    def forward(self, x):\n        return self.n(x)\n\n\ndef call(x):\n    return Model()(x)\n",
        {"x": n(4, 3)},
    ),
    program("dist.all_reduce(t)", _DISTRIBUTED.format(line="dist.all_reduce(x)"), {"x": n(2)}, flag="T2J"),
    program(
        "swa_utils.AveragedModel(m)",
        trained("SGD(model.parameters(), 0.1)", after="return averaged.module.a, averaged.module.b")
        .replace(
            "    optimizer = torch", "    averaged = torch.optim.swa_utils.AveragedModel(model)\n    optimizer = torch"
        )
        .replace("        optimizer.step()\n", "        optimizer.step()\n        averaged.update_parameters(model)\n")
        .replace("    return model.a, model.b\n", ""),
        flag="T2J",
    ),
    case(
        "ema = decay * ema + (1 - decay) * p",
        {"p": n(3)},
        "ema = torch.zeros(3)\nfor _ in range(3):\n    ema = 0.9 * ema + (1 - 0.9) * p\nreturn ema",
    ),
    case(
        "ema = decay * ema + (1 - decay) * p",
        {"p": n(3)},
        "ema = torch.zeros(3)\nfor _ in range(3):\n    ema.mul_(0.9).add_(p, alpha=0.1)\nema.lerp_(p, 0.5)\nreturn ema",
    ),
    program("(loss / k).backward() over k micro-batches", _ACCUMULATED, {"x": n(4, 2)}, gap="T2J50"),
    program(
        "nn.DataParallel / batch split",
        trained("SGD(model.parameters(), 0.1)")
        .replace("model = Model()", "model = nn.DataParallel(Model())")
        .replace("return model.a, model.b", "return model.module.a, model.module.b"),
        rtol=1e-3,
        gap="T2J200",
    ),
    case(
        "nn.RNN/LSTM/GRU on pack_padded_sequence(x, lengths)",
        {"a": n(2, 3), "b": n(4, 3)},
        "nn.utils.rnn.pad_sequence([a, b], batch_first=True), nn.utils.rnn.pad_sequence([a, b], padding_value=-1.0)",
    ),
    case(
        "nn.RNN/LSTM/GRU on pack_padded_sequence(x, lengths)",
        {"lengths": t([1, 3])},
        "torch.arange(4)[None, :] < lengths[:, None]",
    ),
]
