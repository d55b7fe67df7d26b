"""programs/vae.py as one would write it in Flax Linen."""

import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class VAE(nn.Module):
    hidden: int
    latent: int

    @nn.compact
    def __call__(self, x):
        h = nn.relu(nn.Dense(self.hidden)(x))
        mu, logvar = nn.Dense(self.latent)(h), nn.Dense(self.latent)(h)
        z = mu + jax.random.normal(self.make_rng("noise"), mu.shape) * jnp.exp(0.5 * logvar)
        return nn.Dense(784)(nn.relu(nn.Dense(self.hidden)(z))), mu, logvar


@jax.jit
def train_step(state, x, key):
    def loss_fn(params):
        rngs = {"noise": jax.random.fold_in(key, state.step)}
        logits, mu, logvar = state.apply_fn({"params": params}, x, rngs=rngs)
        reconstruction = optax.sigmoid_binary_cross_entropy(logits, x).sum()
        divergence = -0.5 * jnp.sum(1 + logvar - mu**2 - jnp.exp(logvar))
        return reconstruction + divergence

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, x, key, steps):
    for _ in range(steps):
        state, loss = train_step(state, x, key)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    data_key, key = jax.random.split(jax.random.key(0))
    x = jax.random.uniform(data_key, (args.batch, 784))
    model = VAE(args.width, 32)
    variables = model.init({"params": jax.random.key(1), "noise": key}, x)
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-3))

    start = time.perf_counter()
    state, _ = train(state, x, key, 1)
    first = time.perf_counter() - start
    state, _ = train(state, x, key, 10)
    start = time.perf_counter()
    state, loss = train(state, x, key, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
