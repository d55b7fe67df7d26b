"""programs/cnn.py as one would write it in Flax NNX: channels are last."""

import argparse
import json
import time

import jax
import optax
from flax import nnx
from loops import STYLES, loop


class Block(nnx.Module):
    def __init__(self, inputs, outputs, stride, *, rngs):
        self.conv1 = nnx.Conv(inputs, outputs, (3, 3), strides=stride, padding=1, use_bias=False, rngs=rngs)
        self.bn1 = nnx.BatchNorm(outputs, momentum=0.9, rngs=rngs)
        self.conv2 = nnx.Conv(outputs, outputs, (3, 3), padding=1, use_bias=False, rngs=rngs)
        self.bn2 = nnx.BatchNorm(outputs, momentum=0.9, rngs=rngs)
        self.shortcut = nnx.Conv(inputs, outputs, (1, 1), strides=stride, use_bias=False, rngs=rngs)

    def __call__(self, x):
        h = nnx.relu(self.bn1(self.conv1(x)))
        h = self.bn2(self.conv2(h))
        return nnx.relu(h + self.shortcut(x))


class ResNet(nnx.Module):
    def __init__(self, width, classes, *, rngs):
        self.stem = nnx.Conv(3, width, (3, 3), padding=1, rngs=rngs)
        self.block1 = Block(width, width, 1, rngs=rngs)
        self.block2 = Block(width, 2 * width, 2, rngs=rngs)
        self.block3 = Block(2 * width, 4 * width, 2, rngs=rngs)
        self.fc = nnx.Linear(4 * width, classes, rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.stem(x))
        x = self.block3(self.block2(self.block1(x)))
        return self.fc(x.mean(axis=(1, 2)))


def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--style", choices=STYLES, default="jit")
    args = parser.parse_args()

    data_key, label_key = jax.random.split(jax.random.key(0))
    x = jax.random.normal(data_key, (args.batch, 32, 32, 3))
    y = jax.random.randint(label_key, (args.batch,), 0, 10)
    model = ResNet(args.width, 10, rngs=nnx.Rngs(0))
    transformation = optax.chain(optax.add_decayed_weights(5e-4), optax.sgd(0.05, momentum=0.9))
    optimizer = nnx.Optimizer(model, transformation, wrt=nnx.Param)
    train = loop(args.style, train_step, model, optimizer)

    start = time.perf_counter()
    train(1, x, y)
    first = time.perf_counter() - start
    train(10, x, y)
    start = time.perf_counter()
    loss = train(args.steps, x, y)
    step = (time.perf_counter() - start) / args.steps
    print(json.dumps({"first": first, "step": step, "loss": loss}))


if __name__ == "__main__":
    main()
