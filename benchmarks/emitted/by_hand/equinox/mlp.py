"""programs/mlp.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import optax


class MLP(eqx.Module):
    layers: list[eqx.nn.Linear]

    def __init__(self, inputs, hidden, classes, *, key):
        keys = jax.random.split(key, 3)
        sizes = [(inputs, hidden), (hidden, hidden), (hidden, classes)]
        self.layers = [eqx.nn.Linear(*size, key=k) for size, k in zip(sizes, keys, strict=True)]

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jax.nn.relu(layer(x))
        return self.layers[-1](x)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, x, y):
    def loss_fn(model):
        logits = jax.vmap(model)(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, opt_state, optimizer, x, y, steps):
    for _ in range(steps):
        model, opt_state, loss = train_step(model, opt_state, optimizer, x, y)
    return model, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    data_key, label_key, model_key = jax.random.split(jax.random.key(0), 3)
    x = jax.random.normal(data_key, (args.batch, 784))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model = MLP(784, args.width, 10, key=model_key)
    optimizer = optax.adam(1e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, opt_state, _ = train(model, opt_state, optimizer, x, y, 1)
    first = time.perf_counter() - start
    model, opt_state, _ = train(model, opt_state, optimizer, x, y, 10)
    start = time.perf_counter()
    model, opt_state, loss = train(model, opt_state, optimizer, x, y, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
