"""programs/cnn.py as one would write it in Flax Linen: channels are last."""

import argparse
import functools
import json
import time

import jax
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class Block(nn.Module):
    outputs: int
    stride: int

    @nn.compact
    def __call__(self, x):
        norm = functools.partial(nn.BatchNorm, use_running_average=False, momentum=0.9)
        h = nn.Conv(self.outputs, (3, 3), strides=self.stride, padding=1, use_bias=False)(x)
        h = nn.relu(norm()(h))
        h = norm()(nn.Conv(self.outputs, (3, 3), padding=1, use_bias=False)(h))
        return nn.relu(h + nn.Conv(self.outputs, (1, 1), strides=self.stride, use_bias=False)(x))


class ResNet(nn.Module):
    width: int
    classes: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(self.width, (3, 3), padding=1)(x))
        x = Block(self.width, 1)(x)
        x = Block(2 * self.width, 2)(x)
        x = Block(4 * self.width, 2)(x)
        return nn.Dense(self.classes)(x.mean(axis=(1, 2)))


class State(TrainState):
    batch_stats: dict


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits, changed = state.apply_fn(variables, x, mutable=["batch_stats"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), changed["batch_stats"]

    (loss, batch_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=batch_stats), loss


def train(state, x, y, steps):
    for _ in range(steps):
        state, loss = train_step(state, x, y)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    data_key, label_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (args.batch, 32, 32, 3))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model = ResNet(args.width, 10)
    variables = model.init(jax.random.key(1), x)
    transformation = optax.chain(optax.add_decayed_weights(5e-4), optax.sgd(0.05, momentum=0.9))
    state = State.create(apply_fn=model.apply, tx=transformation, **variables)

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
