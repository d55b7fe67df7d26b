"""Indexing and slicing."""

from tests.semantics.cases import Case, case, i32, k, n, t

TITLE = "Indexing and slicing"
_OUT = "an index out of range raises in torch, and is clamped, filled or dropped in JAX"
_EMPTY = "the empty vector is not left out, and the ranks do not fit"
_X = n(3, 4)
_I = t([[0, 2, 1], [3, 0, 3]])
_MASK = t([[True, False, True, False], [False, False, True, True], [True, True, False, False]])

CASES: list[Case] = [
    case("x[5] (size 4)", {"x": n(4)}, "x[5]", raises=True, bug=_OUT),
    case(
        "torch.gather(x, 0, i) (i out of range)",
        {"x": _X, "i": t([[5]])},
        "torch.gather(x, 0, i)",
        raises=True,
        bug=_OUT,
    ),
    case("F.embedding(i, w) (i out of range)", {"w": _X, "i": t([5])}, "F.embedding(i, w)", raises=True, bug=_OUT),
    case("x[i] = v (i out of range)", {"i": t([5])}, "x = torch.zeros(4)\nx[i] = 1.0\nreturn x", raises=True, bug=_OUT),
    case("x[i] += v (i repeats)", {"x": n(4), "i": t([0, 0, 2]), "v": n(3)}, "x = x.clone()\nx[i] += v\nreturn x"),
    case(
        "x[i] += v (i repeats)",
        {"x": n(4), "i": t([0, 0, 2])},
        "x = x.clone()\nx[i] += 1\nx[i] *= 2\nx[[1, 1]] -= 3\nreturn x",
    ),
    case(
        "x.index_put_((i,), v, accumulate=True)",
        {"x": n(4), "i": t([0, 0, 2]), "v": n(3)},
        "x = x.clone()\nx.index_put_((i,), v, accumulate=True)\nreturn x",
    ),
    case(
        "x.index_put_((i,), v, accumulate=True)",
        {"x": n(4, 2), "i": t([0, 0, 2]), "j": t([1, 1, 0]), "v": n(3)},
        "x.index_put((i, j), v, accumulate=True)",
        grad=True,
    ),
    case("x.index_add(1, i, s, alpha=2)", {"x": _X, "i": t([0, 2, 2]), "s": n(3, 3, seed=1)}, grad=True),
    case("x.index_copy(1, i, s)", {"x": _X, "i": t([0, 2]), "s": n(3, 2)}, grad=True),
    case("x.index_fill(1, i, 5.0)", {"x": _X, "i": t([0, 2])}, grad=True),
    case(
        "torch.gather(x, 1, i) (i smaller than x in dim 0)",
        {"x": _X, "i": _I},
        "torch.gather(x, 1, i), x.gather(-1, i), x.gather(0, torch.zeros(2, 3, dtype=torch.long))",
        grad=True,
    ),
    case("x.scatter(1, i, s)", {"x": _X, "i": t([[0, 2], [3, 1]]), "s": n(2, 2, seed=2)}, grad=True),
    case(
        "x.scatter(1, i, s)",
        {"x": _X, "i": t([[0, 2], [3, 1]])},
        "x.scatter(1, i, 2.5), x.scatter(0, torch.tensor([[2, 0]]), value=1.0)",
        grad=True,
    ),
    case("x.scatter_add(0, i, s)", {"x": _X, "i": t([[0, 0, 1], [0, 2, 1]]), "s": n(2, 3, seed=2)}, grad=True),
    case('x.scatter(1, i, s, reduce="multiply")', {"x": _X, "i": t([[0, 1], [2, 1], [3, 0]]), "s": n(3, 2)}),
    case(
        'x.scatter(1, i, s, reduce="multiply")',
        {"x": _X, "i": t([[0, 1], [2, 1], [3, 0]]), "s": n(3, 2)},
        'x.scatter(1, i, s, reduce="add")',
    ),
    case('x.scatter_reduce(0, i, s, "amax", include_self=False)', {"x": n(4), "i": t([0, 0, 2]), "s": n(3)}),
    case(
        'x.scatter_reduce(0, i, s, "amax", include_self=False)',
        {"x": n(4), "i": t([0, 0, 2]), "s": n(3)},
        'x.scatter_reduce(0, i, s, "amin"), x.scatter_reduce(0, i, s, "sum", include_self=False), x.scatter_reduce(0, i, s, "prod")',
    ),
    case('x.scatter_reduce(0, i, s, "mean")', {"x": n(4), "i": t([0, 0, 2]), "s": n(3)}),
    case(
        'x.scatter_reduce(0, i, s, "mean")',
        {"x": n(4), "i": t([0, 0, 2]), "s": n(3)},
        'x.scatter_reduce(0, i, s, reduce="mean", include_self=False)',
    ),
    case("x.take(i)", {"x": _X, "i": _I}, grad=True),
    case("x.put(i, v)", {"x": _X, "i": t([1, 7]), "v": n(2)}),
    case(
        "x[[0, 2]]",
        {"x": _X},
        "x[[0, 2]], x[[0, 2], 1], x[:, [1, 3]], x[[0, 2], [1, 3]]",
        grad=True,
    ),
    case("x[0, :, i]", {"x": n(2, 3, 4), "i": t([0, 2])}, grad=True),
    case(
        "x[0, :, i]",
        {"x": n(3, 3, 4, 2), "i": t([0, 2]), "j": t([1, 1])},
        "x[:, i, :, j], x[i, :, j], x[0, i, :, 1], x[..., 0, j], x[0, i], x[0, :, i % 2, None]",
        gap="T2J201",
    ),
    case(
        "x[0, :, i]",
        {"x": n(2, 3, 4, 2), "i": t([0, 1]), "j": t([1, 1])},
        "x[:, i, :, j], x[i, :, j], x[0, i, j], x[i, 0], x[:, 0, i]",
    ),
    case(
        "x[0, :, i]",
        {"x": n(2, 3, 4), "i": t([0, 2])},
        "x = x.clone()\nx[0, :, i] = torch.zeros(3, 2)\nx[0, :, i] += 1\nreturn x",
        gap="T2J201",
    ),
    case(
        "x[mask] = v (v: tensor with mask.sum() entries)",
        {"x": _X, "mask": _MASK, "v": n(6)},
        "x = x.clone()\nx[mask] = v\nreturn x",
    ),
    case(
        "x[mask] = v (v: tensor with mask.sum() entries)",
        {"x": _X, "mask": _MASK},
        "x = x.clone()\nx[mask] = 0.5\nx[mask] *= 3\nreturn x",
    ),
    case(
        "x[mask] = v (v: tensor with mask.sum() entries)",
        {"x": _X, "m": t([True, False, True]), "v": n(2, 4)},
        "x = x.clone()\nx[m] = v\nx[m, 1] = 7.0\nreturn x, x[m], x[m].shape",
    ),
    case(
        "x[mask] = v (v: tensor with mask.sum() entries)",
        {"x": _X},
        "x = x.clone()\nx[x > 1] = x[x > 1] * 2\nreturn x",
        gap="T2J201",
    ),
    case("x.masked_scatter(mask, s)", {"x": _X, "mask": _MASK, "s": n(10)}),
    case(
        "x.masked_fill(m, v) (m broadcasts)",
        {"x": _X, "m": t([True, False, False, True])},
        'x.masked_fill(m, 2), x.masked_fill(m, float("-inf")), x.masked_fill(m[None], torch.tensor(1.5))',
        grad=True,
    ),
    case(
        "torch.nonzero(x)",
        {"x": t([[0, 1], [2, 0]])},
        "torch.nonzero(x), x.nonzero(), torch.argwhere(x), torch.nonzero(x, as_tuple=True)",
    ),
    case("torch.where(c)", {"c": _MASK}, "torch.where(c)"),
    case("torch.where(c)", {"c": _MASK}, "rows, columns = torch.where(c)\nrows * 10 + columns"),
    case("torch.split(x, 2)", {"x": n(5, 3)}, "torch.split(x, 2), x.split(2, dim=1), x.split(9)"),
    case(
        "torch.split(x, [1, 2, 4])",
        {"x": n(7, 3)},
        "torch.split(x, [1, 2, 4]), x.split((3, 4)), x.split([1, 2], dim=-1)",
    ),
    case("torch.split(x, [1, 2, 4])", {"x": n(7, 3)}, "a, b = x.split([3, 4])\na.sum() - b.sum()"),
    case("torch.chunk(x, 4)", {"x": n(10, 3)}, "torch.chunk(x, 4), x.chunk(2, dim=1)"),
    case("torch.chunk(x, 5) (length 6: only 3 pieces)", {"x": n(7, 3)}, "torch.chunk(x, 5), len(x.chunk(5))"),
    case(
        "x.squeeze(0) (size 3)",
        {"x": n(3, 1, 4)},
        "x.squeeze(0), x.squeeze(1), x.squeeze(), x.squeeze((0, 1)), torch.squeeze(x, -2)",
    ),
    case(
        "x.expand(-1, 4)",
        {"x": n(3, 1)},
        "x.expand(-1, 4), x.expand(2, -1, 4), x.expand((3, 4)), x.expand_as(torch.zeros(3, 2))",
        grad=True,
    ),
    case("x.repeat(2, 3)", {"x": n(2, 2)}, "x.repeat(2, 3), x.repeat((2, 1, 1)), torch.tile(x, (2,))", grad=True),
    case(
        "x.repeat_interleave(2, 1)",
        {"x": n(2, 3)},
        "x.repeat_interleave(2, 1), x.repeat_interleave(2, dim=0), x.repeat_interleave(torch.tensor([1, 2]), dim=0)",
    ),
    case(
        "x.transpose(0, 2)",
        {"x": n(2, 3, 4)},
        "x.transpose(0, 2), torch.transpose(x, -1, 0), x.swapaxes(0, 1), x.permute(2, 0, 1), x.permute((0, 2, 1)), x.movedim(0, -1)",
    ),
    case("x.unfold(0, 3, 2)", {"x": n(7, 2)}, grad=True),
    case("torch.as_strided(x, (2, 2), (1, 2), 1)", {"x": n(3, 3)}, gap="T2J200"),
    case("torch.cat([e, x]) (e has shape (0,))", {"e": t([]), "x": n(2, 3)}, "torch.cat([e, x])", bug=_EMPTY),
    case(
        "torch.cat([e, x]) (e has shape (0,))",
        {"x": n(2, 3)},
        "out = torch.empty(0)\nfor row in range(2):\n    out = torch.cat((out, x * row), dim=0)\nreturn out",
    ),
    case(
        "torch.flip(x, [0])",
        {"x": n(2, 3)},
        "torch.flip(x, [0]), x.flip(1), x.flip(0, 1), torch.flip(x, dims=(-1,)), x.fliplr()",
    ),
    case("y = x; y += 1; x", {"x": n(3)}, "x = x.clone()\ny = x\ny += 1\nreturn x, y"),
    case("y = x; y += 1; x", {"x": n(3)}, "x = x.clone()\nboxes = [x]\nx += 1\nreturn boxes[0]"),
    case("y = x[0]; y.mul_(2); x", {"x": n(2, 3)}, "x = x.clone()\ny = x[0]\ny.mul_(2)\nreturn x"),
    case(
        "y = x[0]; y.mul_(2); x",
        {"x": n(2, 3)},
        "x = x.clone()\nx[0].mul_(2)\nx[:, 1].add_(1)\nx.t()[0] = 5.0\nreturn x",
    ),
    case(
        "y = x[0]; y.mul_(2); x",
        {"x": n(2, 3)},
        "x = x.clone()\nx[0].mul_(2)\nx[:, 1].add_(1)\nx[1:].zero_()\nreturn x",
    ),
    case("x.view(torch.int32)", {"x": n(3)}),
    case(
        "x.flatten(1)",
        {"x": n(2, 3, 4)},
        "x.flatten(1), torch.flatten(x, 1), x.flatten(), x.flatten(0, 1), x.flatten(start_dim=-2), nn.Flatten()(x)",
    ),
    case("x.unflatten(1, (2, -1))", {"x": n(3, 4)}),
    case(
        "x.select(1, -1); x.narrow(1, 1, 2)", {"x": _X}, "x.select(1, -1), x.narrow(1, 1, 2), torch.narrow(x, 0, -2, 1)"
    ),
    case("x.select(1, -1); x.narrow(1, 1, 2)", {"x": _X}, "x.narrow(1, 3, 2)", raises=True, bug=_OUT),
    case("torch.unique_consecutive(x, return_counts=True)", {"x": t([1, 1, 2, 2, 2, 1])}),
    case(
        "torch.unique_consecutive(x, return_counts=True)",
        {"x": t([3, 1, 2, 2, 2, 1])},
        "torch.unique(x), torch.unique(x, return_inverse=True), torch.unique(x, return_inverse=True, return_counts=True), torch.unique_consecutive(x)",
    ),
    case(
        "torch.rot90(x, 1, (0, 1)); torch.roll(x, 1, 0)",
        {"x": _X},
        "torch.rot90(x, 1, (0, 1)), torch.roll(x, 1, 0), x.roll(1), torch.roll(x, (1, -1), (0, 1)), torch.rot90(x)",
    ),
    case("torch.select_scatter(x, v, 0, 1)", {"x": _X, "v": n(4)}),
    case(
        "torch.searchsorted(b, v) (batched)",
        {"b": t([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]), "v": t([[3.0, 6.0], [3.0, 6.0]])},
        "torch.searchsorted(b, v), torch.searchsorted(b, v, right=True), torch.searchsorted(b[0], v), torch.searchsorted(b[0], 3.0)",
    ),
    case(
        "torch.bucketize(v, b, right=True)",
        {"v": t([1.0, 3.0, 4.0]), "b": t([1.0, 3.0, 5.0])},
        "torch.bucketize(v, b, right=True), torch.bucketize(v, b)",
    ),
    case(
        "torch.bucketize(v, b, right=True)",
        {"x": n(5), "i": t([1, 0], i32)},
        "x[i], x[-1], x[-2:], x[::2], x[None, :, None], x[...], x[1:-1], x[i.long()[0]]",
        grad=True,
    ),
    case(
        "torch.nonzero(x)",
        {"x": k(3, 4)},
        "x.nonzero().squeeze(1), (x > 0).nonzero(as_tuple=True)[0], x.count_nonzero()",
    ),
]
