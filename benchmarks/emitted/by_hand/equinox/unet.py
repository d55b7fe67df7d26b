"""programs/unet.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class DoubleConv(eqx.Module):
    conv1: eqx.nn.Conv2d
    norm1: eqx.nn.GroupNorm
    conv2: eqx.nn.Conv2d
    norm2: eqx.nn.GroupNorm

    def __init__(self, inputs, outputs, *, key):
        k1, k2 = jax.random.split(key)
        self.conv1 = eqx.nn.Conv2d(inputs, outputs, 3, padding=1, key=k1)
        self.norm1 = eqx.nn.GroupNorm(8, outputs)
        self.conv2 = eqx.nn.Conv2d(outputs, outputs, 3, padding=1, key=k2)
        self.norm2 = eqx.nn.GroupNorm(8, outputs)

    def __call__(self, x):
        x = jax.nn.silu(self.norm1(self.conv1(x)))
        return jax.nn.silu(self.norm2(self.conv2(x)))


class UNet(eqx.Module):
    down1: DoubleConv
    down2: DoubleConv
    middle: DoubleConv
    up2: eqx.nn.ConvTranspose2d
    conv2: DoubleConv
    up1: eqx.nn.ConvTranspose2d
    conv1: DoubleConv
    out: eqx.nn.Conv2d
    pool: eqx.nn.MaxPool2d

    def __init__(self, width, *, key):
        k1, k2, k3, k4, k5, k6, k7, k8 = jax.random.split(key, 8)
        self.down1 = DoubleConv(3, width, key=k1)
        self.down2 = DoubleConv(width, 2 * width, key=k2)
        self.middle = DoubleConv(2 * width, 4 * width, key=k3)
        self.up2 = eqx.nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2, key=k4)
        self.conv2 = DoubleConv(4 * width, 2 * width, key=k5)
        self.up1 = eqx.nn.ConvTranspose2d(2 * width, width, 2, stride=2, key=k6)
        self.conv1 = DoubleConv(2 * width, width, key=k7)
        self.out = eqx.nn.Conv2d(width, 3, 1, key=k8)
        self.pool = eqx.nn.MaxPool2d(2, stride=2)

    def __call__(self, x):
        x1 = self.down1(x)
        x2 = self.down2(self.pool(x1))
        x3 = self.middle(self.pool(x2))
        x = self.conv2(jnp.concatenate([self.up2(x3), x2]))
        x = self.conv1(jnp.concatenate([self.up1(x), x1]))
        return self.out(x)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, images, key):
    def loss_fn(model):
        noise = jax.random.normal(key, images.shape)
        return jnp.mean((jax.vmap(model)(images + noise) - noise) ** 2)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, opt_state, optimizer, images, key, steps):
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(model, opt_state, optimizer, images, subkey)
    return model, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    data_key, model_key, key = jax.random.split(jax.random.key(0), 3)
    images = jax.random.uniform(data_key, (args.batch, 3, args.size, args.size))
    model = UNet(args.width, key=model_key)
    optimizer = optax.adamw(1e-3, weight_decay=1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, opt_state, _ = train(model, opt_state, optimizer, images, key, 1)
    first = time.perf_counter() - start
    model, opt_state, _ = train(model, opt_state, optimizer, images, key, 10)
    start = time.perf_counter()
    model, opt_state, loss = train(model, opt_state, optimizer, images, key, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
