"""programs/lstm.py as one would write it in Flax Linen."""

import argparse
import json
import time

import jax
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class CharRNN(nn.Module):
    vocabulary: int
    width: int

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocabulary, self.width)(tokens)
        for _ in range(2):
            x = nn.RNN(nn.OptimizedLSTMCell(self.width))(x)
        return nn.Dense(self.vocabulary)(x)


@jax.jit
def train_step(state, tokens):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens[:, :-1])
        return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train(state, tokens, steps):
    for _ in range(steps):
        state, loss = train_step(state, tokens)
    return state, loss.item()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    args = parser.parse_args()

    tokens = jax.random.randint(jax.random.key(0), (args.batch, args.length + 1), 0, 96)
    model = CharRNN(96, args.width)
    variables = model.init(jax.random.key(1), tokens[:, :-1])
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(2e-3))

    start = time.perf_counter()
    state, _ = train(state, tokens, 1)
    first = time.perf_counter() - start
    state, _ = train(state, tokens, 10)
    start = time.perf_counter()
    state, loss = train(state, tokens, args.steps)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
