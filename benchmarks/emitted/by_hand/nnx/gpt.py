"""programs/gpt.py as one would write it in Flax NNX."""

import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from loops import STYLES, loop


class Attention(nnx.Module):
    def __init__(self, width, heads, *, rngs):
        self.qkv = nnx.Linear(width, 3 * width, rngs=rngs)
        self.proj = nnx.Linear(width, width, rngs=rngs)
        self.heads = heads

    def __call__(self, x):
        q, k, v = jnp.split(self.qkv(x).reshape(*x.shape[:2], 3 * self.heads, -1), 3, axis=2)
        y = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.reshape(x.shape))


class Block(nnx.Module):
    def __init__(self, width, heads, *, rngs):
        self.ln1 = nnx.LayerNorm(width, epsilon=1e-5, rngs=rngs)
        self.attn = Attention(width, heads, rngs=rngs)
        self.ln2 = nnx.LayerNorm(width, epsilon=1e-5, rngs=rngs)
        self.up = nnx.Linear(width, 4 * width, rngs=rngs)
        self.down = nnx.Linear(4 * width, width, rngs=rngs)

    def __call__(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.down(nnx.gelu(self.up(self.ln2(x)), approximate=False))


class GPT(nnx.Module):
    def __init__(self, vocabulary, length, width, heads, depth, *, rngs):
        self.wte = nnx.Embed(vocabulary, width, rngs=rngs)
        self.wpe = nnx.Embed(length, width, rngs=rngs)
        self.blocks = nnx.List([Block(width, heads, rngs=rngs) for _ in range(depth)])
        self.ln = nnx.LayerNorm(width, epsilon=1e-5, rngs=rngs)
        self.head = nnx.Linear(width, vocabulary, use_bias=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.wte(tokens) + self.wpe(jnp.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


def train_step(model, optimizer, tokens):
    def loss_fn(model):
        logits = model(tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--style", choices=STYLES, default="jit")
    args = parser.parse_args()

    tokens = jax.random.randint(jax.random.key(0), (args.batch, args.length + 1), 0, 512)
    model = GPT(512, args.length, args.width, 6, args.depth, rngs=nnx.Rngs(0))
    transformation = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-4, b2=0.95, weight_decay=0.1))
    optimizer = nnx.Optimizer(model, transformation, wrt=nnx.Param)
    train = loop(args.style, train_step, model, optimizer)

    start = time.perf_counter()
    train(1, tokens)
    first = time.perf_counter() - start
    train(10, tokens)
    start = time.perf_counter()
    loss = train(args.steps, tokens)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
