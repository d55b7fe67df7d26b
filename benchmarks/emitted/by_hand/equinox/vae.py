"""programs/vae.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class VAE(eqx.Module):
    fc1: eqx.nn.Linear
    fc_mu: eqx.nn.Linear
    fc_logvar: eqx.nn.Linear
    fc3: eqx.nn.Linear
    fc4: eqx.nn.Linear

    def __init__(self, hidden, latent, *, key):
        k1, k2, k3, k4, k5 = jax.random.split(key, 5)
        self.fc1 = eqx.nn.Linear(784, hidden, key=k1)
        self.fc_mu = eqx.nn.Linear(hidden, latent, key=k2)
        self.fc_logvar = eqx.nn.Linear(hidden, latent, key=k3)
        self.fc3 = eqx.nn.Linear(latent, hidden, key=k4)
        self.fc4 = eqx.nn.Linear(hidden, 784, key=k5)

    def __call__(self, x, noise):
        h = jax.nn.relu(self.fc1(x))
        mu, logvar = self.fc_mu(h), self.fc_logvar(h)
        z = mu + noise * jnp.exp(0.5 * logvar)
        return self.fc4(jax.nn.relu(self.fc3(z))), mu, logvar


@eqx.filter_jit
def train_step(model, opt_state, optimizer, x, key):
    def loss_fn(model):
        noise = jax.random.normal(key, (x.shape[0], model.fc_mu.out_features))
        logits, mu, logvar = jax.vmap(model)(x, noise)
        reconstruction = optax.sigmoid_binary_cross_entropy(logits, x).sum()
        divergence = -0.5 * jnp.sum(1 + logvar - mu**2 - jnp.exp(logvar))
        return reconstruction + divergence

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, opt_state, optimizer, x, key, steps):
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(model, opt_state, optimizer, x, subkey)
    return model, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    args = parser.parse_args()

    data_key, model_key, key = jax.random.split(jax.random.key(0), 3)
    x = jax.random.uniform(data_key, (args.batch, 784))
    model = VAE(args.width, 32, key=model_key)
    optimizer = optax.adam(1e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, opt_state, _ = train(model, opt_state, optimizer, x, key, 1)
    first = time.perf_counter() - start
    model, opt_state, _ = train(model, opt_state, optimizer, x, key, 10)
    start = time.perf_counter()
    model, opt_state, loss = train(model, opt_state, optimizer, x, key, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
