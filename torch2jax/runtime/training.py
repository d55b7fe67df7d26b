"""Gradient clipping and optimizers of torch where Optax differs."""

import functools

import jax
import jax.numpy as jnp
import optax


@jax.jit
def add_gradients(grads, new):
    """What `backward()` leaves with the parameters: the sum of the gradients, or the new ones where there were none."""
    add = lambda old, new: new if old is None else old if new is None else old + new
    return jax.tree.map(add, grads, new, is_leaf=lambda grad: grad is None)


@jax.jit
def pull_back(vjp, gradients):
    """What the gradients of values come to in what they were computed from."""
    return vjp(gradients)[0]


def pull_back_entries(vjps, *gradients):
    """What `backward()` adds up for values in lists that were computed one by one, each with the pullback beside it: all at
    once where they are alike."""
    entries = [gradient[0] if len(gradients) == 1 else gradient for gradient in zip(*gradients, strict=True)]
    pairs = list(zip(vjps, entries, strict=True))
    kinds = {(jax.tree.structure(pair), *map(jnp.shape, jax.tree.leaves(pair))) for pair in pairs}
    if len(kinds) == 1:
        vjp, entry = jax.tree.map(lambda *leaves: jnp.stack(leaves), *pairs)
        return jax.tree.map(lambda grads: grads.sum(0), jax.vmap(pull_back)(vjp, entry))
    return functools.reduce(add_gradients, [pull_back(vjp, entry) for vjp, entry in pairs])


def gradient_norm(grads, norm_type=2.0):
    """torch.nn.utils.get_total_norm: the p-norm of all gradients together."""
    leaves = jax.tree.leaves(grads)
    if norm_type == 2:
        return jnp.sqrt(sum(jnp.sum(jnp.abs(g) ** 2) for g in leaves))
    if norm_type == jnp.inf:
        return jnp.stack([jnp.max(jnp.abs(g)) for g in leaves]).max()
    return sum(jnp.sum(jnp.abs(g) ** norm_type) for g in leaves) ** (1 / norm_type)


def clip_grad_norm(grads, max_norm, norm_type=2.0):
    """torch.nn.utils.clip_grad_norm_: the scaled gradients, and their norm before."""
    total_norm = gradient_norm(grads, norm_type)
    scale = jnp.minimum(max_norm / (total_norm + 1e-6), 1.0)
    return jax.tree.map(lambda g: g * scale.astype(g.dtype), grads), total_norm


def clip_grad_value(grads, clip_value):
    """torch.nn.utils.clip_grad_value_: every entry cut to [-clip_value, clip_value]."""
    return jax.tree.map(lambda g: jnp.clip(g, -clip_value, clip_value), grads)


def clip_by_torch_norm(max_norm, norm_type=2.0):
    """torch.nn.utils.clip_grad_norm_ as the first link of an Optax chain."""
    update = lambda grads, state, params=None: (clip_grad_norm(grads, max_norm, norm_type)[0], state)
    return optax.GradientTransformation(lambda params: optax.EmptyState(), update)


def scale_by_torch_momentum(momentum, dampening=0.0, nesterov=False):
    """Momentum of torch.optim.SGD: the first step is not dampened."""

    def init(params):
        return jnp.zeros([], jnp.int32), jax.tree.map(jnp.zeros_like, params)

    def update(grads, state, params=None):
        count, velocity = state
        step = lambda v, g: jnp.where(count == 0, g, momentum * v + (1 - dampening) * g)
        velocity = jax.tree.map(step, velocity, grads)
        updates = jax.tree.map(lambda g, v: g + momentum * v, grads, velocity) if nesterov else velocity
        return updates, (count + 1, velocity)

    return optax.GradientTransformation(init, update)


def scale_by_torch_amsgrad(b1=0.9, b2=0.999, eps=1e-8):
    """torch.optim.Adam(amsgrad=True): the maximum is that of the uncorrected second moments."""

    def init(params):
        mean, square, largest = (jax.tree.map(jnp.zeros_like, params) for _ in range(3))  # three buffers: donation
        return jnp.zeros([], jnp.int32), mean, square, largest

    def update(grads, state, params=None):
        count, mean, square, largest = state
        count = count + 1
        mean = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mean, grads)
        square = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, square, grads)
        largest = jax.tree.map(jnp.maximum, largest, square)
        step = lambda m, v: m / (1 - b1**count) / (jnp.sqrt(v / (1 - b2**count)) + eps)
        return jax.tree.map(step, mean, largest), (count, mean, square, largest)

    return optax.GradientTransformation(init, update)


def scale_by_torch_adagrad(eps=1e-10, initial_accumulator_value=0.0):
    """torch.optim.Adagrad: sums of squares start at 0, and `eps` is outside the root."""

    def init(params):
        return jax.tree.map(lambda p: jnp.full_like(p, initial_accumulator_value), params)

    def update(grads, total, params=None):
        total = jax.tree.map(lambda s, g: s + g * g, total, grads)
        return jax.tree.map(lambda g, s: g / (jnp.sqrt(s) + eps), grads, total), total

    return optax.GradientTransformation(init, update)


def scale_by_torch_nadam(b1=0.9, b2=0.999, eps=1e-8, momentum_decay=4e-3):
    """torch.optim.NAdam: Nesterov momentum with a schedule for its weight."""

    def init(params):
        mean, square = (jax.tree.map(jnp.zeros_like, params) for _ in range(2))  # two buffers: donation
        return jnp.zeros([], jnp.int32), jnp.ones([]), mean, square

    def update(grads, state, params=None):
        count, product, mean, square = state
        count = count + 1
        weight = b1 * (1 - 0.5 * 0.96 ** (count * momentum_decay))
        following = b1 * (1 - 0.5 * 0.96 ** ((count + 1) * momentum_decay))
        product = product * weight
        mean = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mean, grads)
        square = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, square, grads)

        def step(m, v, g):
            lookahead = (1 - weight) / (1 - product) * g + following / (1 - product * following) * m
            return lookahead / (jnp.sqrt(v / (1 - b2**count)) + eps)

        return jax.tree.map(step, mean, square, grads), (count, product, mean, square)

    return optax.GradientTransformation(init, update)


class Accelerator:
    """accelerate.Accelerator as it is on one process, in full precision and with a step of the optimizer for every batch."""

    __slots__ = ()
    is_main_process = is_local_main_process = True
    num_processes, process_index = 1, 0
    print = staticmethod(print)

    def __init__(
        self,
        *,
        mixed_precision=None,
        gradient_accumulation_steps=1,
        device_placement=True,
        split_batches=False,
        cpu=False,
        step_scheduler_with_optimizer=True,
    ):
        del device_placement, split_batches, cpu, step_scheduler_with_optimizer
        if mixed_precision not in (None, "no") or gradient_accumulation_steps != 1:
            raise NotImplementedError("mixed precision and the accumulation of gradients have no translation")


class Fabric:
    """lightning.fabric.Fabric as it is on one device, in full precision."""

    __slots__ = ()
    is_global_zero, global_rank, local_rank, world_size = True, 0, 0, 1
    print = staticmethod(print)

    def __init__(self, *, precision=None, devices="auto", num_nodes=1, strategy="auto", accelerator="auto"):
        del accelerator
        if precision not in (None, 32, "32", "32-true"):
            raise NotImplementedError("mixed precision has no translation")
        if devices not in (1, "1", "auto", -1) or num_nodes != 1 or strategy not in ("auto", "ddp", "dp"):
            raise NotImplementedError("what several devices do together has no translation")


class GradScaler:
    """torch.cuda.amp.GradScaler as it is without a GPU: float32 needs no scaled losses, and nothing is scaled."""

    def __init__(self, device="cuda", *, enabled=True, **options):
        del options
        if enabled and device == "cpu":
            raise NotImplementedError("the scaling of losses on a CPU has no translation: switch it off")

    def scale(self, outputs):
        return outputs

    def is_enabled(self):
        return False

    def get_scale(self):
        return 1.0

    def state_dict(self):
        return {}
