"""dtype promotion and conversion."""

import torch

from tests.semantics.cases import Case, bf16, case, f16, i8, i32, k, n, t, u, u8

TITLE = "dtype promotion and conversion"
_M = t([True, False, True, True])
_X16 = t([1.0, 2.5], f16)

_SCALAR = "an array without axes promotes the type of others in JAX"
_COUNT = "small integers are added and multiplied in their own type"

CASES: list[Case] = [
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {"x16": _X16, "s32": t(0.1)},
        "x16 + s32",
        bug=_SCALAR,
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {},
        "x = torch.ones(2, dtype=torch.float16)\ns = torch.tensor(0.1)\nx + s, s * x, torch.add(x, s)",
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {},
        "x = torch.ones(2, dtype=torch.float16)\nx + x.float().sum()",
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {"x": n(3, dtype=bf16), "y": n(3)},
        "x + 1.5, x * 2, 1 / x, x + y, x.mean(), x.softmax(0)",
        rtol=1e-2,
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {"x": n(3, dtype=bf16), "y": n(3)},
        "x * y.mean()",
        rtol=1e-2,
        bug=_SCALAR,
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {"x": t([1, 2, 3]), "s": t(1.5)},
        "x * s, x + 2, x + 2.5, x / 2, s + x, torch.maximum(x, s)",
    ),
    case(
        "x16 + s32 (x16: float16 tensor, s32: 0-dim float32 tensor)",
        {"x": n(3)},
        "x + torch.tensor(2.0, dtype=torch.float64), torch.where(x > 0, x, torch.tensor(1.0, dtype=torch.float64))",
        x64=True,
        bug=_SCALAR,
    ),
    case(
        "i8 * k (i8: int8 tensor, k: 0-dim int32 tensor)",
        {"i8": t([100, 3], i8), "k": t(2, i32)},
        "i8 * k",
        bug=_SCALAR,
    ),
    case(
        "i8 * k (i8: int8 tensor, k: 0-dim int32 tensor)",
        {},
        "torch.ones(2, dtype=torch.int8) * torch.tensor(200, dtype=torch.int32)",
    ),
    case("u8.cumsum(0)", {"u8": t([200, 100, 5], u8)}, bug=_COUNT),
    case(
        "u8.cumsum(0)",
        {"u8": t([200, 100, 5], u8)},
        "u8.sum(), u8.prod(), u8.sum(0, keepdim=True), torch.cumsum(u8, 0)",
        bug=_COUNT,
    ),
    case("u8.cumsum(0)", {"u8": t([200, 100, 5], u8)}, "u8.cumsum(0), u8.sum()", x64=True, bug=_COUNT),
    case("u8.cumprod(0)", {"u8": t([20, 10, 5], u8)}, bug=_COUNT),
    case(
        "u8.cumprod(0)",
        {"i": t([20, 10, 5]), "s": t([200, 100], torch.int16)},
        "i.cumprod(0), i.cumsum(0), i.sum(), s.sum()",
    ),
    case("b.cumsum(0) (bool)", {"b": _M}, "b.cumsum(0)"),
    case("b.cumsum(0) (bool)", {"b": _M}, "b.sum(), b.cumprod(0), b.sum(dtype=torch.float32), b.int().sum()"),
    case("torch.diff(u8)", {"u8": t([5, 3, 200, 100], u8)}),
    case(
        "x.to(torch.uint8) (float, negative)",
        {"x": t([-1.0, -2.7, 3.9, 254.0])},
        "x.to(torch.uint8)",
        bug="not defined in C: wraps in torch, saturates in XLA",
    ),
    case(
        "x.to(torch.uint8) (float, negative)",
        {"x": t([-1, -200, 300])},
        "x.to(torch.uint8), x.byte(), x.to(torch.int8)",
    ),
    case(
        "x.long() (300.7 -> 300)",
        {"x": t([300.7, -300.7, 0.5, -0.5])},
        "x.long(), x.int(), x.to(torch.int32), x.type(torch.int64)",
    ),
    case("x.bool()", {"x": t([0.5, 0.0, -0.25])}),
    case(
        "x.bool()",
        {"x": t([0.5, 0.0, -0.25])},
        "x.to(torch.bool), x.type(torch.bool), x.logical_not(), torch.logical_and(x, x)",
    ),
    case("a.type_as(b)", {"a": t([1, 2], i32), "b": n(2)}),
    case("a.type_as(b)", {"a": t([1, 2], i32), "b": n(2)}, "a.to(b), a.to(b.dtype), a.to(b, copy=True)"),
    case(
        "torch.mean(i) (integer)",
        {"i": k(9, 4)},
        "torch.mean(i)",
        raises=True,
        bug="mean of integers raises in torch, and gives a number in JAX",
    ),
    case("torch.mean(i) (integer)", {"i": k(9, 4)}, "i.float().mean(), torch.mean(i, dtype=torch.float32)"),
    case("mask.sum() / mask.numel()", {"mask": _M}),
    case("torch.arange(5) / 2"),
    case(
        "torch.arange(5) / 2",
        {"i": t([-7, 7, 5, -5]), "j": t([2, -2, 3, 3])},
        "i / j, i // j, i % j, i // 2, -i // 2, 7 // j, i / 2, torch.div(i, j)",
    ),
    case("torch.arange(3).float_power(2)", {}, "torch.arange(3).float_power(2)", x64=True),
    case(
        "torch.arange(3).float_power(2)",
        {"x": u(3)},
        "torch.float_power(x, 2), x.float_power(torch.tensor([1, 2, 3]))",
        x64=True,
    ),
    case("torch.bernoulli(p)", {"p": u(200)}, random=True),
    case(
        "torch.bernoulli(p)",
        {"p": n(200)},
        "torch.bernoulli(p.abs().clamp(max=1)), torch.zeros(200).bernoulli_(0.3)",
        random=True,
    ),
    case("torch.bernoulli(p)", {"p": u(200)}, "torch.empty_like(p).bernoulli_(p)", random=True, gap="T2J201"),
    case("torch.poisson(r)", {"r": u(200, low=1, high=9)}, random=True),
    case("x.geometric_(1.0)", {}, "x = torch.zeros(300)\nx.geometric_(0.3)\nreturn x", random=True),
    case("F.one_hot(i, 4)", {"i": k(4, 5)}),
    case("F.one_hot(i, 4)", {"i": k(4, 5)}, "F.one_hot(i, num_classes=4).float(), F.one_hot(i, 6).sum(0)"),
    case("F.one_hot(i)", {"i": t([0, 5, 2])}),
    case(
        "F.one_hot(i, 3) (i has 5)",
        {"i": t([0, 5, 2])},
        "F.one_hot(i, 3)",
        raises=True,
        bug="an index out of range raises in torch, and gives a number in JAX",
    ),
    case(
        "a & b, ~m (bool mask), ~i (ints)",
        {"a": t([6, 3]), "b": t([3, 5]), "m": t([True, False])},
        "a & b, a | b, a ^ b, ~m, ~a, m & ~m, torch.logical_not(a), torch.bitwise_not(a)",
    ),
    case("x.eq(y).all()", {"x": n(3), "y": n(3)}, "x.eq(y).all(), x.eq(y), (x == y).all(), x.ne(y).any(), x.eq(1)"),
    case("torch.equal(x, y)", {"x": n(3), "y": n(3)}, "torch.equal(x, y), x.equal(x + 1), torch.equal(x, x[:2])"),
    case("torch.equal(x, y)", {"x": n(3), "y": n(3)}, "1 if torch.equal(x, y) else 2"),
]
