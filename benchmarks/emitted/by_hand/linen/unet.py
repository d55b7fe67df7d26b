"""programs/unet.py as one would write it in Flax Linen: channels are last."""

import argparse
import functools
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class DoubleConv(nn.Module):
    outputs: int

    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.Conv(self.outputs, (3, 3), padding=1)(x)
            x = nn.silu(nn.GroupNorm(num_groups=8, epsilon=1e-5)(x))
        return x


class UNet(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        up = functools.partial(nn.ConvTranspose, kernel_size=(2, 2), strides=(2, 2), padding="VALID")
        x1 = DoubleConv(self.width)(x)
        x2 = DoubleConv(2 * self.width)(nn.max_pool(x1, (2, 2), strides=(2, 2)))
        x3 = DoubleConv(4 * self.width)(nn.max_pool(x2, (2, 2), strides=(2, 2)))
        x = DoubleConv(2 * self.width)(jnp.concatenate([up(2 * self.width)(x3), x2], axis=-1))
        x = DoubleConv(self.width)(jnp.concatenate([up(self.width)(x), x1], axis=-1))
        return nn.Conv(3, (1, 1))(x)


@jax.jit
def train_step(state, images, key):
    noise = jax.random.normal(jax.random.fold_in(key, state.step), images.shape)

    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, images + noise) - noise) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, images, key, steps):
    for _ in range(steps):
        state, loss = train_step(state, images, key)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()

    data_key, key = jax.random.split(jax.random.key(0))
    images = jax.random.uniform(data_key, (args.batch, args.size, args.size, 3))
    model = UNet(args.width)
    variables = model.init(jax.random.key(1), images)
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adamw(1e-3, weight_decay=1e-2))

    start = time.perf_counter()
    state, _ = train(state, images, key, 1)
    first = time.perf_counter() - start
    state, _ = train(state, images, key, 10)
    start = time.perf_counter()
    state, loss = train(state, images, key, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
