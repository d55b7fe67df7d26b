"""programs/vae.py as one would write it in Flax NNX."""

import argparse
import json
import time

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from loops import STYLES, loop


class VAE(nnx.Module):
    def __init__(self, hidden, latent, *, rngs):
        self.fc1 = nnx.Linear(784, hidden, rngs=rngs)
        self.fc_mu = nnx.Linear(hidden, latent, rngs=rngs)
        self.fc_logvar = nnx.Linear(hidden, latent, rngs=rngs)
        self.fc3 = nnx.Linear(latent, hidden, rngs=rngs)
        self.fc4 = nnx.Linear(hidden, 784, rngs=rngs)
        self.rngs = rngs.fork()

    def __call__(self, x):
        h = nnx.relu(self.fc1(x))
        mu, logvar = self.fc_mu(h), self.fc_logvar(h)
        z = mu + self.rngs.normal(mu.shape) * jnp.exp(0.5 * logvar)
        return self.fc4(nnx.relu(self.fc3(z))), mu, logvar


def train_step(model, optimizer, x):
    def loss_fn(model):
        logits, mu, logvar = model(x)
        reconstruction = optax.sigmoid_binary_cross_entropy(logits, x).sum()
        divergence = -0.5 * jnp.sum(1 + logvar - mu**2 - jnp.exp(logvar))
        return reconstruction + divergence

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

    x = jax.random.uniform(jax.random.key(0), (args.batch, 784))
    model = VAE(args.width, 32, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    train = loop(args.style, train_step, model, optimizer)

    start = time.perf_counter()
    train(1, x)
    first = time.perf_counter() - start
    train(10, x)
    start = time.perf_counter()
    loss = train(args.steps, x)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
