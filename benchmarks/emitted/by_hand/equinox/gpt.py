"""programs/gpt.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Attention(eqx.Module):
    qkv: eqx.nn.Linear
    proj: eqx.nn.Linear
    heads: int = eqx.field(static=True)

    def __init__(self, width, heads, *, key):
        k1, k2 = jax.random.split(key)
        self.qkv = eqx.nn.Linear(width, 3 * width, key=k1)
        self.proj = eqx.nn.Linear(width, width, key=k2)
        self.heads = heads

    def __call__(self, x):
        length, width = x.shape
        q, k, v = jnp.split(jax.vmap(self.qkv)(x).reshape(length, 3 * self.heads, -1), 3, axis=1)
        y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        return jax.vmap(self.proj)(y.reshape(length, width))


class Block(eqx.Module):
    ln1: eqx.nn.LayerNorm
    attn: Attention
    ln2: eqx.nn.LayerNorm
    up: eqx.nn.Linear
    down: eqx.nn.Linear

    def __init__(self, width, heads, *, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.ln1 = eqx.nn.LayerNorm(width)
        self.attn = Attention(width, heads, key=k1)
        self.ln2 = eqx.nn.LayerNorm(width)
        self.up = eqx.nn.Linear(width, 4 * width, key=k2)
        self.down = eqx.nn.Linear(4 * width, width, key=k3)

    def __call__(self, x):
        x = x + self.attn(jax.vmap(self.ln1)(x))
        h = jax.nn.gelu(jax.vmap(self.up)(jax.vmap(self.ln2)(x)), approximate=False)
        return x + jax.vmap(self.down)(h)


class GPT(eqx.Module):
    wte: eqx.nn.Embedding
    wpe: eqx.nn.Embedding
    blocks: list[Block]
    ln: eqx.nn.LayerNorm
    head: eqx.nn.Linear

    def __init__(self, vocabulary, length, width, heads, depth, *, key):
        k1, k2, k3, k4 = jax.random.split(key, 4)
        self.wte = eqx.nn.Embedding(vocabulary, width, key=k1)
        self.wpe = eqx.nn.Embedding(length, width, key=k2)
        self.blocks = [Block(width, heads, key=k) for k in jax.random.split(k3, depth)]
        self.ln = eqx.nn.LayerNorm(width)
        self.head = eqx.nn.Linear(width, vocabulary, use_bias=False, key=k4)

    def __call__(self, tokens):
        x = jax.vmap(self.wte)(tokens) + self.wpe.weight[: tokens.shape[0]]
        for block in self.blocks:
            x = block(x)
        return jax.vmap(self.head)(jax.vmap(self.ln)(x))


@eqx.filter_jit
def train_step(model, opt_state, optimizer, tokens):
    def loss_fn(model):
        logits = jax.vmap(model)(tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, opt_state, optimizer, tokens, steps):
    for _ in range(steps):
        model, opt_state, loss = train_step(model, opt_state, optimizer, tokens)
    return model, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--depth", type=int, default=6)
    args = parser.parse_args()

    data_key, model_key = jax.random.split(jax.random.key(0))
    tokens = jax.random.randint(data_key, (args.batch, args.length + 1), 0, 512)
    model = GPT(512, args.length, args.width, 6, args.depth, key=model_key)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-4, b2=0.95, weight_decay=0.1))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, opt_state, _ = train(model, opt_state, optimizer, tokens, 1)
    first = time.perf_counter() - start
    model, opt_state, _ = train(model, opt_state, optimizer, tokens, 10)
    start = time.perf_counter()
    model, opt_state, loss = train(model, opt_state, optimizer, tokens, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
