"""programs/cnn.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import optax


class Block(eqx.Module):
    conv1: eqx.nn.Conv2d
    bn1: eqx.nn.BatchNorm
    conv2: eqx.nn.Conv2d
    bn2: eqx.nn.BatchNorm
    shortcut: eqx.nn.Conv2d

    def __init__(self, inputs, outputs, stride, *, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.conv1 = eqx.nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, use_bias=False, key=k1)
        self.bn1 = eqx.nn.BatchNorm(outputs, axis_name="batch", mode="ema")
        self.conv2 = eqx.nn.Conv2d(outputs, outputs, 3, padding=1, use_bias=False, key=k2)
        self.bn2 = eqx.nn.BatchNorm(outputs, axis_name="batch", mode="ema")
        self.shortcut = eqx.nn.Conv2d(inputs, outputs, 1, stride=stride, use_bias=False, key=k3)

    def __call__(self, x, state):
        h, state = self.bn1(self.conv1(x), state)
        h, state = self.bn2(self.conv2(jax.nn.relu(h)), state)
        return jax.nn.relu(h + self.shortcut(x)), state


class ResNet(eqx.Module):
    stem: eqx.nn.Conv2d
    blocks: list[Block]
    fc: eqx.nn.Linear

    def __init__(self, width, classes, *, key):
        k1, k2, k3, k4, k5 = jax.random.split(key, 5)
        self.stem = eqx.nn.Conv2d(3, width, 3, padding=1, key=k1)
        self.blocks = [
            Block(width, width, 1, key=k2),
            Block(width, 2 * width, 2, key=k3),
            Block(2 * width, 4 * width, 2, key=k4),
        ]
        self.fc = eqx.nn.Linear(4 * width, classes, key=k5)

    def __call__(self, x, state):
        x = jax.nn.relu(self.stem(x))
        for block in self.blocks:
            x, state = block(x, state)
        return self.fc(x.mean(axis=(1, 2))), state


@eqx.filter_jit
def train_step(model, state, opt_state, optimizer, x, y):
    def loss_fn(model, state):
        forward = jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
        logits, state = forward(x, state)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean(), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


def train(model, state, opt_state, optimizer, x, y, steps):
    for _ in range(steps):
        model, state, opt_state, loss = train_step(model, state, opt_state, optimizer, x, y)
    return model, state, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    data_key, label_key, model_key = jax.random.split(jax.random.key(0), 3)
    x = jax.random.normal(data_key, (args.batch, 3, 32, 32))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model, state = eqx.nn.make_with_state(ResNet)(args.width, 10, key=model_key)
    optimizer = optax.chain(optax.add_decayed_weights(5e-4), optax.sgd(0.05, momentum=0.9))
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, state, opt_state, _ = train(model, state, opt_state, optimizer, x, y, 1)
    first = time.perf_counter() - start
    model, state, opt_state, _ = train(model, state, opt_state, optimizer, x, y, 10)
    start = time.perf_counter()
    model, state, opt_state, loss = train(model, state, opt_state, optimizer, x, y, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
