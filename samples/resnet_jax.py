"""A small ResNet for 16x16 images, trained by a Trainer class."""

import collections.abc
import dataclasses
import inspect
import itertools
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


def conv3x3(in_planes, out_planes, stride=1, *, key):
    """3x3 convolution with padding"""
    return eqx.nn.Conv2d(in_planes, out_planes, 3, stride=stride, padding=1, use_bias=False, key=key)


# --- torch2jax support -------------------------------------------------------------------------


def along_channels(vector, ndim):
    """A vector of channels (or None) shaped for arrays whose axis 1 holds the channels."""
    return vector if vector is None or ndim < 2 else vector.reshape((1, -1) + (1,) * (ndim - 2))


def standardize(x, axes, eps):
    """Subtract the mean over `axes` and divide by the (biased) standard deviation."""
    centered = x - x.mean(axes, keepdims=True)
    return centered * jax.lax.rsqrt(x.var(axes, keepdims=True) + eps)


def scale_and_shift(x, weight, bias):
    """x * weight + bias, either of which may be None."""
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, eps=1e-5):
    """torch.nn.functional.batch_norm: batch statistics in training, else the running ones (see `update_running`)."""
    if training or running_mean is None:
        y = standardize(x, (0, *range(2, x.ndim)), eps)
    else:
        y = x - along_channels(running_mean, x.ndim)
        y = y * jax.lax.rsqrt(along_channels(running_var, x.ndim) + eps)
    return scale_and_shift(y, along_channels(weight, x.ndim), along_channels(bias, x.ndim))


def update_running(x, running_mean, running_var, momentum=0.1):
    """The running statistics after the batch `x`: `momentum` weighs the batch, whose variance is unbiased."""
    axes = (0, *range(2, x.ndim))
    count = x.size // x.shape[1]
    if count == 1:
        raise ValueError(f"expected more than 1 value per channel when training, got input size {x.shape}")
    x = jax.lax.stop_gradient(x)
    mean = (1 - momentum) * running_mean + momentum * x.mean(axes)
    var = (1 - momentum) * running_var + momentum * x.var(axes, ddof=1)
    return mean.astype(running_mean.dtype), var.astype(running_var.dtype)


class BatchNorm(eqx.nn.StatefulLayer):
    """torch.nn.BatchNorm1d, 2d and 3d (channels on axis 1), called `y, state = layer(x, state)`."""

    weight: jax.Array | None
    bias: jax.Array | None
    running_mean: eqx.nn.StateIndex | None
    running_var: eqx.nn.StateIndex | None
    num_batches_tracked: eqx.nn.StateIndex | None
    num_features: int
    eps: float
    momentum: float | None
    inference: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True):
        self.weight = jnp.ones(num_features) if affine else None
        self.bias = jnp.zeros(num_features) if affine else None
        self.running_mean = eqx.nn.StateIndex(jnp.zeros(num_features)) if track_running_stats else None
        self.running_var = eqx.nn.StateIndex(jnp.ones(num_features)) if track_running_stats else None
        self.num_batches_tracked = eqx.nn.StateIndex(jnp.zeros((), int)) if track_running_stats else None
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.inference = False

    def __call__(self, x, state, *, key=None):
        if self.running_mean is None:
            return batch_norm(x, None, None, self.weight, self.bias, True, eps=self.eps), state
        mean, var = state.get(self.running_mean), state.get(self.running_var)
        y = batch_norm(x, mean, var, self.weight, self.bias, not self.inference, eps=self.eps)
        if not self.inference:
            count = state.get(self.num_batches_tracked) + 1
            momentum = 1 / count if self.momentum is None else self.momentum
            mean, var = update_running(x, mean, var, momentum)
            state = state.set(self.running_mean, mean).set(self.running_var, var)
            state = state.set(self.num_batches_tracked, count)
        return y, state


class BasicBlock(eqx.nn.StatefulLayer):
    conv1: eqx.nn.Conv2d
    bn1: BatchNorm
    relu: eqx.nn.Lambda
    conv2: eqx.nn.Conv2d
    bn2: BatchNorm
    downsample: eqx.nn.Sequential
    expansion = 1

    def __init__(self, in_planes, planes, stride=1, downsample=None, *, key):
        conv1_key, conv2_key = jax.random.split(key)
        self.conv1 = conv3x3(in_planes, planes, stride, key=conv1_key)
        self.bn1 = BatchNorm(planes)
        self.relu = eqx.nn.Lambda(jax.nn.relu)
        self.conv2 = conv3x3(planes, planes, key=conv2_key)
        self.bn2 = BatchNorm(planes)
        self.downsample = downsample

    def __call__(self, x, state):
        identity = x

        out = batched(self.conv1)(x)
        out, state = self.bn1(out, state)
        out = self.relu(out)

        out = batched(self.conv2)(out)
        out, state = self.bn2(out, state)

        if self.downsample is not None:
            identity, state = batched(self.downsample)(x, state)

        out += identity
        out = self.relu(out)
        return out, state


class ResNet(eqx.nn.StatefulLayer):
    in_planes: int
    conv1: eqx.nn.Conv2d
    bn1: BatchNorm
    relu: eqx.nn.Lambda
    layer1: eqx.nn.Sequential
    layer2: eqx.nn.Sequential
    layer3: eqx.nn.Sequential
    avgpool: eqx.nn.AdaptiveAvgPool2d
    fc: eqx.nn.Linear

    def __init__(self, block, layers, num_classes=10, width=8, *, key):
        conv1_key, layer1_key, layer2_key, layer3_key, fc_key, init_key = jax.random.split(key, 6)
        self.in_planes = width
        self.conv1 = eqx.nn.Conv2d(3, width, 3, padding=1, use_bias=False, key=conv1_key)
        self.bn1 = BatchNorm(width)
        self.relu = eqx.nn.Lambda(jax.nn.relu)
        self.layer1 = self._make_layer(block, width, layers[0], key=layer1_key)
        self.layer2 = self._make_layer(block, 2 * width, layers[1], stride=2, key=layer2_key)
        self.layer3 = self._make_layer(block, 4 * width, layers[2], stride=2, key=layer3_key)
        self.avgpool = eqx.nn.AdaptiveAvgPool2d((1, 1))
        self.fc = eqx.nn.Linear(4 * width * block.expansion, num_classes, key=fc_key)

        def init_layer(m, *, key):
            if isinstance(m, eqx.nn.Conv2d):
                m = eqx.tree_at(lambda m: m.weight, m, kaiming_normal(key, m.weight.shape, mode="fan_out", nonlinearity="relu"))
            elif isinstance(m, BatchNorm):
                m = eqx.tree_at(lambda m: m.weight, m, jnp.ones_like(m.weight))
                m = eqx.tree_at(lambda m: m.bias, m, jnp.zeros_like(m.bias))
            return m

        set_modules(init_layer, self, key=init_key)

    def _make_layer(self, block, planes, blocks, stride=1, *, key):
        downsample = None
        if stride != 1 or self.in_planes != planes * block.expansion:
            key, subkey = jax.random.split(key)
            downsample = eqx.nn.Sequential([
                eqx.nn.Conv2d(self.in_planes, planes * block.expansion, 1, stride=stride, use_bias=False, key=subkey),
                BatchNorm(planes * block.expansion),
            ])

        layers = []
        key, subkey = jax.random.split(key)
        layers.append(block(self.in_planes, planes, stride, downsample, key=subkey))
        self.in_planes = planes * block.expansion
        for _ in range(1, blocks):
            key, subkey = jax.random.split(key)
            layers.append(block(self.in_planes, planes, key=subkey))
        return eqx.nn.Sequential(layers)

    def __call__(self, x, state):
        x, state = self.bn1(batched(self.conv1)(x), state)
        x = self.relu(x)
        x, state = batched(self.layer1)(x, state)
        x, state = batched(self.layer2)(x, state)
        x, state = batched(self.layer3)(x, state)
        x = batched(self.avgpool)(x)
        x = x.reshape(x.shape[0], -1)
        return batched(self.fc)(x), state


def resnet8(num_classes, *, key):
    return eqx.nn.make_with_state(ResNet)(BasicBlock, [1, 1, 1], num_classes=num_classes, key=key)


@eqx.filter_jit
def training_step(optimizer, model, state, opt_state, images, labels):
    def loss_fn(model, state):
        out, state = model(images, state)
        return cross_entropy(out, labels), state

    (loss, state), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, state)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), state, opt_state, loss


@eqx.filter_jit
def validate_step(model, state, images, labels, device):
    logits, _ = model(images, state)
    return (logits.argmax(axis=1) == labels).astype(jnp.float32).sum()


class Trainer:
    """Owns the model, its optimizer and the data."""

    def __init__(self, model, state, train_loader, val_loader, lr=0.02, device="cpu"):
        self.model = model
        self.state = state
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.device = device
        self.optimizer = optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(lr, momentum=0.9, nesterov=True))
        self.opt_state = self.optimizer.init(eqx.filter(model, eqx.is_inexact_array))
        self.losses = []

    def train_step(self, images, labels):
        self.model, self.state, self.opt_state, loss = training_step(self.optimizer, self.model, self.state, self.opt_state, images, labels)
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model = eqx.nn.inference_mode(self.model, value=False)
            for images, labels in self.train_loader:
                self.losses.append(self.train_step(images, labels))
            print(f"epoch {epoch}: loss {self.losses[-1]:.4f}, val accuracy {self.validate():.3f}")

    def validate(self):
        self.model = eqx.nn.inference_mode(self.model)
        correct = 0
        for images, labels in self.val_loader:
            correct += validate_step(self.model, self.state, images, labels, self.device).item()
        return correct / len(self.val_loader.dataset)


def make_images(n, num_classes=4, size=16, *, key):
    """Noise with a bright square in one of four quadrants; the quadrant is the label."""
    labels = jnp.arange(n) % num_classes
    images = 0.5 * jax.random.normal(key, (n, 3, size, size))
    half = size // 2
    for i in range(n):
        top, left = divmod(int(labels[i]), 2)
        images = images.at[i, :, top * half + 2 : top * half + 6, left * half + 2 : left * half + 6].add(1.5)
    return images, labels


def main():
    key = jax.random.key(3)
    seed_host_rng(3)
    key, subkey = jax.random.split(key)
    train_loader = DataLoader(ArrayDataset(*make_images(128, key=subkey)), batch_size=16, shuffle=True)
    key, subkey = jax.random.split(key)
    val_loader = DataLoader(ArrayDataset(*make_images(32, key=subkey)), batch_size=16)
    key, subkey = jax.random.split(key)
    model, state = resnet8(num_classes=4, key=subkey)
    print("parameters:", sum(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))))
    trainer = Trainer(model, state, train_loader, val_loader)
    trainer.fit(epochs=3)
    return trainer.losses


# --- torch2jax support -------------------------------------------------------------------------


def is_buffer(module, name):
    """Whether a field of a module is not trained: of all modules of its class, or of those that say so in `buffer_names`."""
    marks = type(module).__dataclass_fields__[name].metadata
    return marks.get("buffer") or name in getattr(module, "buffer_names", ())


def torch_fields(tree):
    """`(torch name, step, value)` of the direct members of a module or container, in torch's order."""
    if isinstance(tree, eqx.nn.Sequential) and hasattr(tree, "names"):
        return [(name, name, getattr(tree, name)) for name in tree.names]
    if isinstance(tree, eqx.Module):
        members = []
        for field in dataclasses.fields(tree):
            name = field.metadata.get("torch_name", field.name)
            if name is None or field.metadata.get("static"):
                continue  # a constant, or a buffer that torch does not save
            unnamed = isinstance(tree, eqx.nn.Sequential) and name == "layers"
            members.append(("" if unnamed else name, field.name, getattr(tree, field.name, None)))
        return sorted(members, key=lambda member: field_rank(tree, *member[1:]))
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    return [(str(key), key, value) for key, value in pairs]


def field_rank(module, field_name, value):
    """torch lists the parameters (0) of a module first, then its buffers (1), then its submodules (2)."""
    if value is None:
        return 0
    if not (eqx.is_array(value) or isinstance(value, eqx.nn.StateIndex)):
        return 2
    marks = type(module).__dataclass_fields__[field_name].metadata
    if marks.get("parameter"):
        return 0
    return 1 if is_buffer(module, field_name) or isinstance(value, np.ndarray) or not eqx.is_inexact_array(value) else 0


def named_children(module):
    """torch's named_children: `(name, module)` of the parts of a module or container; lists and dicts of modules are such."""
    children = []
    for name, _, value in torch_fields(module):
        is_module = isinstance(value, eqx.Module) and not isinstance(value, eqx.nn.StateIndex)
        is_container = isinstance(value, (list, tuple, dict)) and any(
            isinstance(leaf, eqx.Module) for leaf in jax.tree.leaves(value, is_leaf=lambda x: isinstance(x, eqx.Module))
        )
        if (is_module or is_container) and not any(value is other for _, other in children):
            if name:
                children.append((name, value))
            else:
                children += named_children(value)
    return children


def calculate_gain(nonlinearity, param=None):
    """torch.nn.init.calculate_gain."""
    match nonlinearity:
        case "tanh":
            return 5 / 3
        case "relu":
            return math.sqrt(2)
        case "leaky_relu":
            return math.sqrt(2 / (1 + (0.01 if param is None else param) ** 2))
        case "selu":
            return 3 / 4
    return 1.0


def fan_in_and_out(shape):
    """torch's fans of a weight (out, in, ...)."""
    receptive = math.prod(shape[2:])
    return shape[1] * receptive, shape[0] * receptive


def kaiming_std(shape, a, mode, nonlinearity):
    """The standard deviation of torch's kaiming initialisers."""
    fan = fan_in_and_out(shape)[0 if mode == "fan_in" else 1]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_normal(key, shape, a=0.0, mode="fan_in", nonlinearity="leaky_relu", dtype=jnp.float32):
    """torch.nn.init.kaiming_normal_."""
    return kaiming_std(shape, a, mode, nonlinearity) * jax.random.normal(key, shape, dtype)


def split_key(key, num):
    """`num` new keys, or as many `None` where there is no key (inference)."""
    return [None] * num if key is None else jax.random.split(key, num)


def example_ndim(layer, x):
    """How many trailing axes of `x` are one example of an Equinox layer; None for whatever takes the whole batch."""
    if not isinstance(layer, eqx.Module) or not type(layer).__call__.__module__.startswith("equinox."):
        return None
    match layer:
        case eqx.nn.Embedding():
            return 0
        case eqx.nn.Linear():
            return 1
        case eqx.nn.LayerNorm() | eqx.nn.RMSNorm():
            return len(layer.shape)
        case eqx.nn.GroupNorm():
            return x.ndim - 1
        case eqx.nn.Conv() | eqx.nn.ConvTranspose() | eqx.nn.Pool():
            return layer.num_spatial_dims + 1
        case eqx.nn.AdaptivePool():
            return len(layer.target_shape) + 1
    return None


def refuse_state(layer, *args, **kwargs):
    """Raise a TypeError for a module that keeps state, where none is passed."""
    signature = inspect.signature(layer)
    takes = signature.parameters.get("state")
    if takes and takes.default is takes.empty and "state" not in signature.bind_partial(*args, **kwargs).arguments:
        name = type(layer).__name__
        raise TypeError(
            f"{name} keeps state, which has to be passed with it and taken back: `y, state = model(x, state)`. "
            f"Annotate the parameter that holds the module with its class and translate again"
        )


def batched(layer):
    """Apply `layer` to a batch: Equinox's own layers over all leading axes (flattened: one matrix product), an
    `eqx.nn.Sequential` member by member, anything else as it is. With `state`, returns `(y, state)`."""

    def apply(x, state=None, *, key=None):
        if state is not None:
            return batched_with_state(layer, x, state, key)
        if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
            for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
                x = batched(sublayer)(x, key=subkey)
            return x
        ndim = example_ndim(layer, x)
        if ndim is not None:
            leading, example = x.shape[: x.ndim - ndim], x.shape[x.ndim - ndim :]
            y = jax.vmap(layer)(x.reshape(math.prod(leading), *example))
            return y.reshape(*leading, *y.shape[1:])
        refuse_state(layer, x)
        draws = key is not None and "key" in inspect.signature(layer).parameters
        return layer(x, key=key) if draws else layer(x)

    return apply


def batched_with_state(layer, x, state, key):
    """`batched(layer)(x)` and the state after it."""
    if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
        for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
            x, state = batched_with_state(sublayer, x, state, subkey)
        return x, state
    takes = {} if example_ndim(layer, x) is not None else inspect.signature(layer).parameters
    is_first = [p.kind for p in takes.values()][1:2] == [inspect.Parameter.VAR_POSITIONAL]  # `forward(*args)`
    if not {"state", "module_state"}.isdisjoint(list(takes)[not is_first :]):  # else `state` is what it is applied to
        args = (state, x) if is_first else (x, state)
        return layer(*args, key=key) if key is not None and "key" in takes else layer(*args)
    return batched(layer)(x, key=key), state


def nll_loss(log_probs, targets):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    keep = targets != -100
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    loss, count = jnp.where(keep, -picked, 0), keep.sum(dtype=log_probs.dtype)
    return loss.sum() / count


def cross_entropy(logits, targets):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    if jnp.issubdtype(targets.dtype, jnp.floating):
        return (-(log_probs * targets).sum(axis)).mean()
    return nll_loss(log_probs, targets)


class ModuleLoop:
    """Replaces modules as a loop over them changes them: each before its parts, in torch's order; tied arrays stay tied."""

    def __init__(self, function, named, key):
        self.function, self.named, self.renewed = function, named, {}
        self.key = key if "key" in inspect.signature(function).parameters else None

    def latest(self, leaf):
        """The array that replaced `leaf`, or `leaf`."""
        while id(leaf) in self.renewed:
            leaf = self.renewed[id(leaf)][1]
        return leaf

    def visit(self, module, name):
        """`function([name, ]module[, key=...])`, remembering which array replaced which, unless it is another module.

        A layer whose weight is computed from other parameters has `plain` and `with_plain`: the function is given the plain one."""
        if hasattr(module, "with_plain"):
            return module.with_plain(self.visit(module.plain(), name))
        kwargs = {}
        if self.key is not None:
            self.key, kwargs["key"] = jax.random.split(self.key)
        new = self.function(name, module, **kwargs) if self.named else self.function(module, **kwargs)
        old_arrays, new_arrays = (eqx.filter(x, eqx.is_array) for x in (module, new))
        is_other = jax.tree.structure(old_arrays) != jax.tree.structure(new_arrays)
        for before, after in zip(jax.tree.leaves(old_arrays), [] if is_other else jax.tree.leaves(new_arrays)):
            if before is not after:
                self.renewed[id(before)] = before, after
        return new

    def visit_all(self, module, name=""):
        """`module` with itself and everything below it visited."""
        module = self.visit(jax.tree.map(self.latest, module), name)
        return (
            module
            if hasattr(module, "with_plain")
            else self.visit_parts(module, f"{name}." if name else "", self.visit_all)
        )

    def visit_parts(self, module, prefix, visit):
        """`module` with its parts replaced by `visit(part, name)`."""
        parts = {id(part): (part, visit(part, prefix + name)) for name, part in named_children(module)}
        return jax.tree.map(
            lambda x: parts[id(x)][1] if id(x) in parts else x, module, is_leaf=lambda x: id(x) in parts
        )


def set_modules(function, module, *, named=False, key=None):
    """`map_modules` inside `module.__init__`, for the parts that the module has by now."""
    loop = ModuleLoop(function, named, key)
    fields = dict(vars(loop.visit(module, "")))
    for name, value in loop.visit_parts(fields, "", loop.visit_all).items():
        setattr(module, name, jax.tree.map(loop.latest, value))


host_rng = np.random.default_rng(0)  # what torch's global generator is to loaders and transforms


def seed_host_rng(seed):
    """torch.manual_seed, for what loaders, samplers and transforms draw."""
    host_rng.bit_generator.state = np.random.default_rng(seed % 2**64).bit_generator.state


def as_rng(generator):
    """NumPy's generator of random numbers: the one of the whole program for None, one from the next key of a sequence."""
    if generator is None:
        return host_rng
    if isinstance(generator, np.random.Generator):
        return generator
    return np.random.default_rng(int(jax.random.bits(next(generator))))


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *tensors):
        self.tensors = tuple(np.asarray(array) for array in tensors)
        if any(len(array) != len(self.tensors[0]) for array in self.tensors):
            raise ValueError("the arrays have different lengths")

    def __len__(self):
        return len(self.tensors[0])

    def __getitem__(self, index):
        return tuple(array[index] for array in self.tensors)


def default_collate(batch):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = batch[0]
    if isinstance(first, (np.ndarray, np.generic, jax.Array, int, float)):
        return jax.numpy.asarray(np.stack([np.asarray(sample) for sample in batch]))
    if isinstance(first, (str, bytes)):
        return list(batch)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        return [default_collate(members) for members in zip(*batch, strict=True)]
    raise TypeError(f"batches hold arrays, numbers, strings, dicts and lists, not {type(first)}")


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set.

    The settings of worker processes and of pinned memory (`settings`) say nothing here."""

    def __init__(
        self, dataset, batch_size=1, shuffle=False, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,
        pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None,
        generator=None, **settings,
    ):  # fmt: skip
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        collates = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if collates else lambda sample: sample)
        self.drop_last, self.generator = drop_last, generator
        self.batch_sampler, self.num_workers, self.worker_init_fn = batch_sampler, num_workers, worker_init_fn

    def __len__(self):
        if self.batch_sampler is not None:
            return len(self.batch_sampler)
        count, size = len(self.dataset if self.sampler is None else self.sampler), self.batch_size or 1
        return count // size if self.drop_last else -(-count // size)

    def positions(self):
        """The order of one pass."""
        if self.sampler is not None:
            return self.sampler
        count = len(self.dataset)
        return as_rng(self.generator).permutation(count).tolist() if self.shuffle else range(count)

    def batches(self):
        """The positions of each batch of one pass."""
        positions = iter(self.positions())
        batches = iter(lambda: list(itertools.islice(positions, self.batch_size)), [])
        return (batch for batch in batches if len(batch) == self.batch_size or not self.drop_last)

    def __iter__(self):
        if self.batch_size is None and self.batch_sampler is None:
            return (self.collate_fn(self.dataset[position]) for position in self.positions())
        batches = self.batches() if self.batch_sampler is None else self.batch_sampler
        return (self.collate_fn([self.dataset[position] for position in batch]) for batch in batches)


if __name__ == "__main__":
    main()
