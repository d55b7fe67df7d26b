"""programs/lstm.py as one would write it in Flax NNX."""

import argparse
import json
import time

import jax
import optax
from flax import nnx
from loops import STYLES, loop


class CharRNN(nnx.Module):
    def __init__(self, vocabulary, width, *, rngs):
        self.embedding = nnx.Embed(vocabulary, width, rngs=rngs)
        cells = [nnx.OptimizedLSTMCell(width, width, rngs=rngs) for _ in range(2)]
        self.layers = nnx.List([nnx.RNN(cell, rngs=rngs) for cell in cells])
        self.head = nnx.Linear(width, vocabulary, rngs=rngs)

    def __call__(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


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
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--style", choices=STYLES, default="jit")
    args = parser.parse_args()

    tokens = jax.random.randint(jax.random.key(0), (args.batch, args.length + 1), 0, 96)
    model = CharRNN(96, args.width, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
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
