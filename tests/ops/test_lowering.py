"""How calls are spelled in JAX: the text that a reader sees, and the refusals."""

from __future__ import annotations

import libcst as cst
import pytest

from tests.ops.calls import Call, lower_text
from torch2jax.ops.lowering import Refusal
from torch2jax.ops.tables import load_tables
from torch2jax.syntax.codegen import code
from torch2jax.values import UNKNOWN, Kind, Value

KNOWN = {
    "x": Value(Kind.TENSOR, 3, "float32"),
    "y": Value(Kind.TENSOR, 3, "float32"),
    "i": Value(Kind.TENSOR, 2, "int64"),
    "m": Value(Kind.TENSOR, 3, "bool"),
    "n": Value(Kind.INT),
    "xs": Value(Kind.LIST, elem=Value(Kind.TENSOR, 3, "float32")),
    "u": UNKNOWN,
}


def lowered(text: str, targets: int | None = None) -> str | Refusal:
    node = cst.ensure_type(cst.parse_expression(text), cst.Call)
    name = (
        code(node.func)
        if text.startswith("torch.")
        else f"Tensor.{cst.ensure_type(node.func, cst.Attribute).attr.value}"
    )
    spec = load_tables().functions[name]
    return lower_text(spec, Call(text, {}, {}, KNOWN), targets)[0]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("torch.sum(x, 1)", "jnp.sum(x, axis=1)"),
        ("torch.FloatTensor(u)", "legacy_tensor(u)"),
        ("x.sum(dim=[0, 1], keepdim=True)", "x.sum(axis=(0, 1), keepdims=True)"),
        ("x.mean(-1, keepdim=False)", "x.mean(axis=-1)"),
        ("x.view(n, -1)", "x.reshape(n, -1)"),
        ("x.view(*u, 2)", "x.reshape(*u, 2)"),
        ("x.view(torch.int32)", "x.view(jnp.int32)"),
        ("x.permute(0, 2, 1)", "x.transpose(0, 2, 1)"),
        ("x.transpose(1, 2)", "x.swapaxes(1, 2)"),
        ("x.size()", "x.shape"),
        ("x.size(0)", "x.shape[0]"),
        ("x.unsqueeze(-1)", "x[..., None]"),
        ("x.expand(2, 3, 4)", "jnp.broadcast_to(x, (2, 3, 4))"),
        ("x.expand(-1, n, -1)", "expand(x, -1, n, -1)"),
        ("x.flatten(1)", "x.reshape(x.shape[0], -1)"),
        ("x.flatten()", "x.reshape(-1)"),
        ("x.repeat(2, 1, 1)", "jnp.tile(x, (2, 1, 1))"),
        ("x.masked_fill(m, 0.0)", "jnp.where(m, 0.0, x)"),
        ("x.pow(2)", "x ** 2"),
        ("(x + y).pow(2)", "(x + y) ** 2"),
        ("x.float()", "x.astype(jnp.float32)"),
        ("x.long()", "x.astype(int)"),
        ("x.type_as(y)", "x.astype(y.dtype)"),
        ("x.detach()", "jax.lax.stop_gradient(x)"),
        ("x.contiguous()", "x"),
        ("x.max()", "x.max()"),
        ("torch.max(x, dim=1)", "max_along(x, 1)"),
        ("torch.max(x, y)", "jnp.maximum(x, y)"),
        ("torch.max(x, u)", "maximum_or_along(x, u)"),
        ("x.var(1)", "x.var(axis=1, ddof=1)"),
        ("x.var(False)", "x.var(ddof=0)"),
        ("x.std(-1)", "std(x, dim=-1)"),
        ("x.std(unbiased=False)", "std(x, correction=0)"),
        ("torch.zeros(2, n)", "jnp.zeros((2, n))"),
        ("torch.zeros((2, n), dtype=torch.long, device=u)", "jnp.zeros((2, n), dtype=int)"),
        ("torch.zeros(n)", "jnp.zeros(n)"),
        ("torch.arange(n)", "jnp.arange(n)"),
        ("torch.arange(0, n, 2)", "jnp.arange(0, n, 2)"),
        ("torch.tensor([1.0, 2.0])", "jnp.array([1.0, 2.0])"),
        ("torch.cat([x, y], dim=-1)", "jnp.concatenate([x, y], axis=-1)"),
        ("torch.stack(xs)", "jnp.stack(xs)"),
        ("torch.einsum('bij,bjk->bik', x, y)", "jnp.einsum('bij,bjk->bik', x, y)"),
        ("torch.einsum('bij,bjk->bik', xs)", "jnp.einsum('bij,bjk->bik', *xs)"),
        ("torch.meshgrid(x, y)", "tuple(jnp.meshgrid(x, y, indexing='ij'))"),
        ("torch.meshgrid(xs)", "tuple(jnp.meshgrid(*xs, indexing='ij'))"),
        ("torch.where(m, x, 0.0)", "jnp.where(m, x, 0.0)"),
        ("torch.where(m)", "jnp.where(m)"),
        ("torch.matmul(x, y.transpose(1, 2))", "x @ y.transpose(1, 2)"),
        ("torch.clamp(x, min=0)", "clamp(x, min=0)"),
        ("torch.clamp(i, 0, 5)", "jnp.clip(i, 0, 5)"),
        ("torch.randn(2, 3)", "jax.random.normal(key, (2, 3))"),
        ("torch.randn_like(x)", "jax.random.normal(key, x.shape)"),
        ("torch.randint(0, n, (2, 3))", "jax.random.randint(key, (2, 3), 0, n)"),
        ("torch.randint(5, (3,))", "jax.random.randint(key, (3,), 0, 5)"),
        ("torch.multinomial(x, num_samples=1)", "jax.random.categorical(key, jnp.log(x))[..., None]"),
        ("torch.nn.functional.softmax(x, dim=-1)", "jax.nn.softmax(x, axis=-1)"),
        ("torch.nn.functional.softmax(x)", "jax.nn.softmax(x, axis=0)"),
        ("torch.nn.functional.gelu(x)", "jax.nn.gelu(x, approximate=False)"),
        ("torch.nn.functional.gelu(x, approximate='tanh')", "jax.nn.gelu(x)"),
        ("torch.nn.functional.relu(x, inplace=True)", "jax.nn.relu(x)"),
        ("torch.nn.functional.one_hot(i, n)", "jax.nn.one_hot(i, n, dtype=int)"),
        ("torch.nn.functional.linear(x, y)", "x @ y.T"),
        ("torch.nn.functional.dropout(x, 0.1)", "dropout(x, p=0.1, key=key)"),
        ("torch.nn.functional.dropout(x, training=u)", "dropout(x, key=key, inference=not u)"),
        ("torch.nn.functional.cross_entropy(x, i)", "cross_entropy(x, i)"),
        ("torch.nn.functional.max_pool2d(x, 2)", "max_pool_whole(x, 2)"),
        (
            "torch.nn.functional.scaled_dot_product_attention(x, y, y, is_causal=True)",
            "scaled_dot_product_attention(x, y, y, is_causal=True)",
        ),
        (
            "torch.nn.functional.scaled_dot_product_attention(x, y, y, dropout_p=0.1)",
            "scaled_dot_product_attention(x, y, y, dropout_p=0.1, dropout_key=key)",
        ),
        ("x.normal_(0, 0.02)", "0.02 * jax.random.normal(key, x.shape)"),
        ("x.zero_()", "jnp.zeros_like(x)"),
    ],
)
def test_spelling(source: str, target: str) -> None:
    assert lowered(source) == target


@pytest.mark.parametrize(
    ("source", "targets", "target"),
    [
        ("x.split(n, dim=2)", 3, "jnp.split(x, [n, 2 * n], axis=2)"),
        ("x.split(n, dim=2)", 2, "jnp.split(x, [n], axis=2)"),
        ("x.split(4, dim=2)", 3, "jnp.split(x, [4, 8], axis=2)"),
        ("x.split([1, 3])", None, "jnp.split(x, [1])"),
        ("x.split(n)", None, "split(x, n)"),
        ("x.split(u)", 3, "split(x, u)"),
        ("x.chunk(2, dim=-1)", 2, "jnp.split(x, 2, axis=-1)"),
        ("x.topk(5)", 2, "jax.lax.top_k(x, 5)"),
        ("x.topk(k=5, dim=-1, sorted=False)", 2, "jax.lax.top_k(x, 5)"),
        ("x.topk(5)", None, "topk(x, 5)"),
        ("x.topk(5, 0)", 2, "topk(x, 5, dim=0)"),
        ("x.topk(5, largest=False)", 2, "topk(x, 5, largest=False)"),
        ("x.chunk(2)", None, "chunk(x, 2)"),
        ("x.unbind(0)", 2, "x"),
        ("x.unbind(-1)", 2, "jnp.moveaxis(x, -1, 0)"),
        ("x.unbind()", None, "tuple(x)"),
    ],
)
def test_spelling_of_pieces_depends_on_the_number_of_names(source: str, targets: int | None, target: str) -> None:
    assert lowered(source, targets) == target


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("torch.nn.functional.embedding(i, x, max_norm=1.0)", "`max_norm` has no counterpart"),
        ("torch.cross(x + 1, y)", "give dim"),
        ("x.data_ptr()", "no address"),
        ("torch.nonzero(x, as_tuple=u)", "not known"),
        ("torch.meshgrid(u)", "not known"),
        ("torch.nn.functional.batch_norm(x, y, y, training=True)", "running statistics"),
    ],
)
def test_what_has_no_spelling_is_refused(source: str, reason: str) -> None:
    result = lowered(source)
    assert isinstance(result, Refusal)
    assert reason in result.reason
