"""programs/mlp.py as one would write it in Flax Linen."""

import argparse
import json
import time

import jax
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class MLP(nn.Module):
    hidden: int
    classes: int

    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(self.classes)(x)


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, x, y, steps):
    for _ in range(steps):
        state, loss = train_step(state, x, y)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    data_key, label_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (args.batch, 784))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model = MLP(args.width, 10)
    variables = model.init(jax.random.key(1), x)
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-3))

    start = time.perf_counter()
    state, _ = train(state, x, y, 1)
    first = time.perf_counter() - start
    state, _ = train(state, x, y, 10)
    start = time.perf_counter()
    state, loss = train(state, x, y, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
