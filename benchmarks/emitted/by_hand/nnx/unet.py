"""programs/unet.py as one would write it in Flax NNX: channels are last."""

import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from loops import STYLES, loop


class DoubleConv(nnx.Module):
    def __init__(self, inputs, outputs, *, rngs):
        self.conv1 = nnx.Conv(inputs, outputs, (3, 3), padding=1, rngs=rngs)
        self.norm1 = nnx.GroupNorm(outputs, num_groups=8, epsilon=1e-5, rngs=rngs)
        self.conv2 = nnx.Conv(outputs, outputs, (3, 3), padding=1, rngs=rngs)
        self.norm2 = nnx.GroupNorm(outputs, num_groups=8, epsilon=1e-5, rngs=rngs)

    def __call__(self, x):
        x = nnx.silu(self.norm1(self.conv1(x)))
        return nnx.silu(self.norm2(self.conv2(x)))


class UNet(nnx.Module):
    def __init__(self, width, *, rngs):
        self.down1 = DoubleConv(3, width, rngs=rngs)
        self.down2 = DoubleConv(width, 2 * width, rngs=rngs)
        self.middle = DoubleConv(2 * width, 4 * width, rngs=rngs)
        self.up2 = nnx.ConvTranspose(4 * width, 2 * width, (2, 2), strides=(2, 2), padding="VALID", rngs=rngs)
        self.conv2 = DoubleConv(4 * width, 2 * width, rngs=rngs)
        self.up1 = nnx.ConvTranspose(2 * width, width, (2, 2), strides=(2, 2), padding="VALID", rngs=rngs)
        self.conv1 = DoubleConv(2 * width, width, rngs=rngs)
        self.out = nnx.Conv(width, 3, (1, 1), rngs=rngs)

    def __call__(self, x):
        x1 = self.down1(x)
        x2 = self.down2(nnx.max_pool(x1, (2, 2), strides=(2, 2)))
        x3 = self.middle(nnx.max_pool(x2, (2, 2), strides=(2, 2)))
        x = self.conv2(jnp.concatenate([self.up2(x3), x2], axis=-1))
        x = self.conv1(jnp.concatenate([self.up1(x), x1], axis=-1))
        return self.out(x)


def train_step(model, optimizer, rngs, images):
    def loss_fn(model):
        return jnp.mean((model(images + noise) - noise) ** 2)

    noise = rngs.normal(images.shape)
    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--style", choices=STYLES, default="jit")
    args = parser.parse_args()

    images = jax.random.uniform(jax.random.key(0), (args.batch, args.size, args.size, 3))
    model = UNet(args.width, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-3, weight_decay=1e-2), wrt=nnx.Param)
    train = loop(args.style, train_step, model, optimizer, nnx.Rngs(1))

    start = time.perf_counter()
    train(1, images)
    first = time.perf_counter() - start
    train(10, images)
    start = time.perf_counter()
    loss = train(args.steps, images)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
