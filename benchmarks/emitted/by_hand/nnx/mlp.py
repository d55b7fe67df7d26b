"""programs/mlp.py as one would write it in Flax NNX."""

import argparse
import json
import time

import jax
import optax
from flax import nnx
from loops import STYLES, loop


class MLP(nnx.Module):
    def __init__(self, inputs, hidden, classes, *, rngs):
        sizes = [(inputs, hidden), (hidden, hidden), (hidden, classes)]
        self.layers = nnx.List([nnx.Linear(*size, rngs=rngs) for size in sizes])

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = nnx.relu(layer(x))
        return self.layers[-1](x)


def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--style", choices=STYLES, default="jit")
    args = parser.parse_args()

    data_key, label_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (args.batch, 784))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model = MLP(784, args.width, 10, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    train = loop(args.style, train_step, model, optimizer)

    start = time.perf_counter()
    train(1, x, y)
    first = time.perf_counter() - start
    train(10, x, y)
    start = time.perf_counter()
    loss = train(args.steps, x, y)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
