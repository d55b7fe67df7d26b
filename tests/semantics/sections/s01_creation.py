"""Tensor creation."""

from tests.semantics.cases import Case, case, i32, inf, n, nan, t

TITLE = "Tensor creation"
_AB = {"a": t([1.0, 2.0, 3.0]), "b": t([4.0, 5.0, 6.0, 7.0])}
_V = {"v": n(2, 3)}

CASES: list[Case] = [
    case("torch.meshgrid(a, b)", _AB),
    case("torch.meshgrid(a, b)", _AB, 'torch.meshgrid(a, b, indexing="xy")'),
    case("torch.meshgrid(a, b)", _AB, "p, q = torch.meshgrid([a, b])\np - q"),
    case("torch.tril_indices(3, 5, 1)"),
    case("torch.tril_indices(3, 5, 1)", {}, "torch.tril_indices(5, 3), torch.tril_indices(3, 5, offset=-1)"),
    case("torch.triu_indices(3, 5, -1)"),
    case("torch.linspace(0, 1, 7)[:, None]"),
    case("torch.linspace(0, 1, 7)[:, None]", {}, "torch.linspace(2, 3, steps=1), torch.linspace(0, 1, 0)"),
    case("torch.linspace(-3.6, 3.4, 5, dtype=torch.int64)", gap="T2J201"),
    case("torch.eye(3, 4)[1:].new_full((2,), 7)"),
    case(
        "torch.eye(3, 4)[1:].new_full((2,), 7)",
        {"x": n(2, 3)},
        "x.new_zeros(2, 3), x.new_ones((4,)), x.new_tensor([1, 2]), x.new_full((2,), 7)",
    ),
    case(
        "torch.eye(3, 4)[1:].new_full((2,), 7)",
        {"i": t([1, 2], i32)},
        "i.new_zeros(2, 3), i.new_ones((4,)), i.new_tensor([1.5, 2.5]), i.new_full((2,), 7)",
    ),
    case("torch.zeros(2, 3) + torch.ones(2, 3).sum()"),
    case(
        "torch.zeros(2, 3) + torch.ones(2, 3).sum()",
        {},
        "torch.zeros(2), torch.ones(2), torch.full((2,), 1.5), torch.arange(0.0, 1.0, 0.25), torch.arange(3), torch.eye(2), torch.tensor([1.5]), torch.tensor([1]), torch.tensor([True])",
    ),
    case("torch.full((2,), 2**40)", {}, "torch.full((2,), 2**40)", x64=True),
    case(
        "torch.full((2,), 2**40)",
        {},
        "torch.full((2,), 7), torch.full((2,), True), torch.full((2,), -(2**40)) // 3",
        x64=True,
    ),
    case("torch.rand(3, 4).size()", {}, "torch.rand(3, 4).size()"),
    case("torch.rand(3, 4).size()", {"x": n(3, 4)}, "x.size(), x.size(-1), x.shape, x.size(dim=0)"),
    case("x.numel(); x.element_size()", {"x": n(3, 4)}, "x.numel(), x.element_size(), x.nelement(), len(x)"),
    case("torch.diag_embed(v, offset=1)", _V),
    case(
        "torch.diag_embed(v, offset=1)",
        _V,
        "torch.diag_embed(v), torch.diag_embed(v, -1), torch.diag(v), torch.diag(v[0], 1), torch.diagonal(v, 1)",
    ),
    case("torch.diag_embed(v, offset=1)", _V, "torch.diag_embed(v, -1, 0, 2)", gap="T2J201"),
    case("torch.ones_like(x, dtype=torch.bool)", {"x": n(2, 3)}),
    case(
        "torch.ones_like(x, dtype=torch.bool)",
        {"x": n(2, 3)},
        "torch.zeros_like(x, dtype=torch.int32), torch.full_like(x, 3, dtype=torch.float16), torch.full_like(x, 3), torch.ones_like(x)",
    ),
    case(
        "torch.complex(a, b)",
        {"a": t([1.0, 2.0, inf, nan]), "b": t([inf, nan, 0.0, 1.0])},
        "torch.view_as_real(torch.complex(a, b))",
    ),
    case("torch.linalg.vander(v)", _V),
    case(
        "torch.linalg.vander(v)",
        {"v": n(3)},
        "torch.vander(v), torch.vander(v, 2, increasing=True), torch.linalg.vander(v, N=4)",
    ),
    case("torch.combinations(v, r=2)", {"v": n(4)}),
    case(
        "torch.combinations(v, r=2)",
        {"v": n(4)},
        "torch.combinations(v), torch.combinations(v, 3), torch.combinations(v, 2, with_replacement=True)",
    ),
    case("torch.cartesian_prod(a, b)", _AB),
]
