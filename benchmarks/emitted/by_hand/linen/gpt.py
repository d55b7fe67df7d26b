"""programs/gpt.py as one would write it in Flax Linen."""

import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class Attention(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        width = x.shape[-1]
        q, k, v = jnp.split(nn.Dense(3 * width)(x).reshape(*x.shape[:2], 3 * self.heads, -1), 3, axis=2)
        y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        return nn.Dense(width)(y.reshape(x.shape))


class Block(nn.Module):
    heads: int

    @nn.compact
    def __call__(self, x):
        width = x.shape[-1]
        x = x + Attention(self.heads)(nn.LayerNorm(epsilon=1e-5)(x))
        h = nn.Dense(4 * width)(nn.LayerNorm(epsilon=1e-5)(x))
        return x + nn.Dense(width)(nn.gelu(h, approximate=False))


class GPT(nn.Module):
    vocabulary: int
    length: int
    width: int
    heads: int
    depth: int

    @nn.compact
    def __call__(self, tokens):
        positions = jnp.arange(tokens.shape[1])
        x = nn.Embed(self.vocabulary, self.width)(tokens) + nn.Embed(self.length, self.width)(positions)
        for _ in range(self.depth):
            x = Block(self.heads)(x)
        return nn.Dense(self.vocabulary, use_bias=False)(nn.LayerNorm(epsilon=1e-5)(x))


@jax.jit
def train_step(state, tokens):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, tokens, steps):
    for _ in range(steps):
        state, loss = train_step(state, tokens)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--depth", type=int, default=6)
    args = parser.parse_args()

    tokens = jax.random.randint(jax.random.key(0), (args.batch, args.length + 1), 0, 512)
    model = GPT(512, args.length, args.width, 6, args.depth)
    variables = model.init(jax.random.key(1), tokens[:, :-1])
    transformation = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-4, b2=0.95, weight_decay=0.1))
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=transformation)

    start = time.perf_counter()
    state, _ = train(state, tokens, 1)
    first = time.perf_counter() - start
    state, _ = train(state, tokens, 10)
    start = time.perf_counter()
    state, loss = train(state, tokens, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
