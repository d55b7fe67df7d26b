"""Transforms of the program that draw: a lambda takes the next key of a sequence, an object keeps one. A step that calls transforms
that may draw stays uncompiled.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from torch2jax.runtime.batching import batched
from torch2jax.runtime.keys import KeySequence
from torch2jax.runtime.vision_transforms import Compose, Lambda, RandomHorizontalFlip, ToTensor


class AddNoise:
    def __init__(self, std=1.0, *, key):
        self.keys = KeySequence(key)
        self.std = std

    def __call__(self, image):
        return image + jax.random.normal(next(self.keys), image.shape) * self.std


def pipeline(*, key):
    keys = KeySequence(key)
    dequantize = Lambda(lambda x: (x * 255 + jax.random.uniform(next(keys), x.shape, x.dtype)) / 256)
    return Compose([ToTensor(), RandomHorizontalFlip(), dequantize, AddNoise(0.1, key=next(keys))])


flip = RandomHorizontalFlip()
key = jax.random.key(0)
key, subkey = jax.random.split(key)
prepare = pipeline(key=subkey)
key, subkey = jax.random.split(key)
model = eqx.nn.Conv2d(1, 1, 3, key=subkey)
optimizer = optax.sgd(0.1)
opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))


def train_step(optimizer, model, opt_state):
    def loss_fn(model):
        return batched(model)(flip(jnp.ones((1, 1, 4, 4)))).mean()

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state


for _ in range(3):
    model, opt_state = train_step(optimizer, model, opt_state)
