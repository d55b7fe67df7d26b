"""programs/lstm.py as one would write it in Equinox."""

import argparse
import json
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class CharRNN(eqx.Module):
    embedding: eqx.nn.Embedding
    cells: list[eqx.nn.LSTMCell]
    head: eqx.nn.Linear

    def __init__(self, vocabulary, width, *, key):
        k1, k2, k3, k4 = jax.random.split(key, 4)
        self.embedding = eqx.nn.Embedding(vocabulary, width, key=k1)
        self.cells = [eqx.nn.LSTMCell(width, width, key=k) for k in (k2, k3)]
        self.head = eqx.nn.Linear(width, vocabulary, key=k4)

    def __call__(self, tokens):
        x = jax.vmap(self.embedding)(tokens)
        for cell in self.cells:

            def step(carry, x, cell=cell):
                carry = cell(x, carry)
                return carry, carry[0]

            zeros = jnp.zeros(cell.hidden_size)
            _, x = jax.lax.scan(step, (zeros, zeros), x)
        return jax.vmap(self.head)(x)


@eqx.filter_jit
def train_step(model, opt_state, optimizer, tokens):
    def loss_fn(model):
        logits = jax.vmap(model)(tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(model, opt_state, optimizer, tokens, steps):
    for _ in range(steps):
        model, opt_state, loss = train_step(model, opt_state, optimizer, tokens)
    return model, opt_state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    args = parser.parse_args()

    data_key, model_key = jax.random.split(jax.random.key(0))
    tokens = jax.random.randint(data_key, (args.batch, args.length + 1), 0, 96)
    model = CharRNN(96, args.width, key=model_key)
    optimizer = optax.adam(2e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    start = time.perf_counter()
    model, opt_state, _ = train(model, opt_state, optimizer, tokens, 1)
    first = time.perf_counter() - start
    model, opt_state, _ = train(model, opt_state, optimizer, tokens, 10)
    start = time.perf_counter()
    model, opt_state, loss = train(model, opt_state, optimizer, tokens, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
