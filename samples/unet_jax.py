"""Segment discs in noisy images with a small U-Net."""

import collections.abc
import inspect
import itertools
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class DoubleConv(eqx.Module):
    """(convolution => group norm => ReLU) * 2"""

    double_conv: eqx.nn.Sequential

    def __init__(self, in_channels, out_channels, *, key):
        double_conv_key, double_conv_key_1 = jax.random.split(key)
        self.double_conv = eqx.nn.Sequential([
            eqx.nn.Conv2d(in_channels, out_channels, 3, padding=1, key=double_conv_key),
            eqx.nn.GroupNorm(4, out_channels),
            eqx.nn.Lambda(jax.nn.relu),
            eqx.nn.Conv2d(out_channels, out_channels, 3, padding=1, key=double_conv_key_1),
            eqx.nn.GroupNorm(4, out_channels),
            eqx.nn.Lambda(jax.nn.relu),
        ])

    def __call__(self, x):
        return batched(self.double_conv)(x)


class Down(eqx.Module):
    """Downscaling with max pooling, then double convolution"""

    maxpool_conv: eqx.nn.Sequential

    def __init__(self, in_channels, out_channels, *, key):
        self.maxpool_conv = eqx.nn.Sequential([eqx.nn.MaxPool2d(2, 2), DoubleConv(in_channels, out_channels, key=key)])

    def __call__(self, x):
        return batched(self.maxpool_conv)(x)


class Up(eqx.Module):
    """Upscaling, then double convolution"""

    up: eqx.Module
    conv: DoubleConv

    def __init__(self, in_channels, out_channels, bilinear=False, *, key):
        up_key, up_key_1, conv_key = jax.random.split(key, 3)
        if bilinear:
            self.up = eqx.nn.Sequential([
                Upsample(scale_factor=2, mode="bilinear", align_corners=True),
                eqx.nn.Conv2d(in_channels, in_channels // 2, 1, key=up_key),
            ])
        else:
            self.up = ConvTranspose2d(in_channels, in_channels // 2, 2, stride=2, key=up_key_1)
        self.conv = DoubleConv(in_channels, out_channels, key=conv_key)

    def __call__(self, x1, x2):
        x1 = batched(self.up)(x1)
        # the input may have odd sizes: pad to the size of the skip connection
        diff_y = x2.shape[2] - x1.shape[2]
        diff_x = x2.shape[3] - x1.shape[3]
        x1 = pad(x1, (diff_x // 2, diff_x - diff_x // 2, diff_y // 2, diff_y - diff_y // 2))
        x = jnp.concatenate([x2, x1], axis=1)
        return self.conv(x)


class UNet(eqx.Module):
    inc: DoubleConv
    down1: Down
    down2: Down
    up1: Up
    up2: Up
    outc: eqx.nn.Conv2d

    def __init__(self, n_channels, n_classes, width=8, bilinear=False, *, key):
        inc_key, down1_key, down2_key, up1_key, up2_key, outc_key = jax.random.split(key, 6)
        self.inc = DoubleConv(n_channels, width, key=inc_key)
        self.down1 = Down(width, 2 * width, key=down1_key)
        self.down2 = Down(2 * width, 4 * width, key=down2_key)
        self.up1 = Up(4 * width, 2 * width, bilinear, key=up1_key)
        self.up2 = Up(2 * width, width, bilinear, key=up2_key)
        self.outc = eqx.nn.Conv2d(width, n_classes, 1, key=outc_key)

    def __call__(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x = self.up1(x3, x2)
        x = self.up2(x, x1)
        return batched(self.outc)(x)


def make_discs(n, size=18, *, key):
    """Noisy images of one disc each, and the masks of the discs."""
    centers_key, radii_key, images_key = jax.random.split(key, 3)
    centers = size * (0.25 + 0.5 * jax.random.uniform(centers_key, (n, 2)))
    radii = size * (0.1 + 0.15 * jax.random.uniform(radii_key, n))
    ys, xs = tuple(jnp.meshgrid(jnp.arange(size), jnp.arange(size), indexing="ij"))
    distance = jnp.sqrt((ys - centers[:, 0, None, None]) ** 2 + (xs - centers[:, 1, None, None]) ** 2)
    masks = (distance < radii[:, None, None]).astype(jnp.float32)[:, None]
    images = masks + 0.5 * jax.random.normal(images_key, (n, 1, size, size))
    return images, masks


def dice_score(logits, masks, eps=1e-6):
    """Overlap of the predicted and the true masks, averaged over images."""
    predicted = (jax.nn.sigmoid(logits) > 0.5).astype(jnp.float32)
    intersection = (predicted * masks).sum(axis=(1, 2, 3))
    total = predicted.sum(axis=(1, 2, 3)) + masks.sum(axis=(1, 2, 3))
    return ((2 * intersection + eps) / (total + eps)).mean()


@eqx.filter_jit
def train_step(optimizer, net, opt_state, images, criterion, masks):
    def loss_fn(net):
        logits = net(images)
        return criterion(logits, masks)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(net)
    grads, _ = clip_grad_norm(grads, max_norm=1.0)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(net, eqx.is_inexact_array))
    return eqx.apply_updates(net, updates), opt_state, loss


def main():
    key = jax.random.key(11)
    seed_host_rng(11)
    device = jax.devices()[0]
    key, subkey = jax.random.split(key)
    train_loader = DataLoader(ArrayDataset(*make_discs(96, key=subkey)), batch_size=16, shuffle=True)
    key, subkey = jax.random.split(key)
    val_images, val_masks = make_discs(16, key=subkey)

    key, subkey = jax.random.split(key)
    net = eqx.filter_shard(UNet(n_channels=1, n_classes=1, key=subkey), device)
    optimizer = optax.chain(optax.add_decayed_weights(1e-6), optax.scale_by_rms(decay=0.99, eps_in_sqrt=False), optax.trace(0.5), optax.scale_by_learning_rate(1e-3))
    opt_state = optimizer.init(eqx.filter(net, eqx.is_inexact_array))
    criterion = binary_cross_entropy_with_logits
    losses = []
    for epoch in range(3):
        epoch_loss = 0.0
        for images, masks in train_loader:
            images = jax.device_put(images, device)
            masks = jax.device_put(masks, device)
            net, opt_state, loss = train_step(optimizer, net, opt_state, images, criterion, masks)

            losses.append(loss.item())
            epoch_loss += loss.item() * images.shape[0]
        score = dice_score(net(jax.device_put(val_images, device)), jax.device_put(val_masks, device))
        print(f"epoch {epoch + 1}: loss {epoch_loss / 96:.4f}, dice {score.item():.3f}")
    return losses


# --- torch2jax support -------------------------------------------------------------------------


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

    def apply(x, *, key=None):
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


def reduce_loss(loss, reduction):
    """torch's `reduction`: "none", "mean" over all elements, or "sum"."""
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean()


def binary_cross_entropy_with_logits(logits, targets, weight=None, reduction="mean", pos_weight=None):
    """torch.nn.functional.binary_cross_entropy_with_logits: `pos_weight` multiplies the positive term only."""
    positive = targets if pos_weight is None else pos_weight * targets
    loss = -(positive * jax.nn.log_sigmoid(logits) + (1 - targets) * jax.nn.log_sigmoid(-logits))
    return reduce_loss(loss if weight is None else loss * weight, reduction)


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


def per_axis(value, ndim):
    """`value` as a tuple of `ndim` entries; a single number counts for every axis."""
    if isinstance(value, (tuple, list)):
        return tuple(value) * ndim if len(value) == 1 else tuple(value)
    return (value,) * ndim


def conv_transpose(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch.nn.functional.conv_transpose1d, 2d, 3d: `weight` is (in, out // groups, ...), padding crops the output."""
    ndim = weight.ndim - 2
    if x.ndim == ndim + 1:
        return conv_transpose(x[None], weight, bias, stride, padding, output_padding, groups, dilation)[0]
    dilation, kernel = per_axis(dilation, ndim), weight.shape[2:]
    pads = [
        (d * (k - 1) - p, d * (k - 1) - p + extra)
        for d, k, p, extra in zip(dilation, kernel, per_axis(padding, ndim), per_axis(output_padding, ndim))
    ]
    weight = jnp.flip(weight, range(2, 2 + ndim)).reshape(groups, -1, *weight.shape[1:])
    weight = weight.swapaxes(1, 2).reshape(-1, weight.shape[1], *kernel)  # (out, in // groups, ...)
    y = jax.lax.conv_general_dilated(
        x,
        weight,
        (1,) * ndim,
        pads,
        lhs_dilation=per_axis(stride, ndim),
        rhs_dilation=dilation,
        feature_group_count=groups,
    )
    return y if bias is None else y + bias.reshape((-1,) + (1,) * ndim)


def extra_padding(x, output_size, kernel, stride, padding, dilation):
    """The output_padding that makes outputs of `output_size`, the spatial sizes with or without the other axes."""
    sizes = zip(x.shape[-len(kernel) :], kernel, stride, padding, dilation)
    smallest = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in sizes]
    extra = tuple(size - least for size, least in zip(output_size[-len(kernel) :], smallest))
    if any(not 0 <= e < s for e, s in zip(extra, stride)):
        raise ValueError(f"the output cannot be of size {tuple(output_size)}: the smallest one is {tuple(smallest)}")
    return extra


class ConvTranspose(eqx.Module):
    """torch.nn.ConvTranspose1d, 2d and 3d, with torch's weight (in, out // groups, ...) and bias (out,)."""

    weight: jax.Array
    bias: jax.Array | None
    in_channels: int = eqx.field(static=True)
    out_channels: int = eqx.field(static=True)
    kernel_size: tuple[int, ...] = eqx.field(static=True)
    stride: tuple[int, ...] = eqx.field(static=True)
    padding: tuple[int, ...] = eqx.field(static=True)
    output_padding: tuple[int, ...] = eqx.field(static=True)
    groups: int = eqx.field(static=True)
    dilation: tuple[int, ...] = eqx.field(static=True)

    def __init__(
        self,
        num_spatial_dims,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        dtype=None,
        *,
        key,
    ):
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = kernel = per_axis(kernel_size, num_spatial_dims)
        limit = 1 / math.sqrt(out_channels // groups * math.prod(kernel))
        weight_key, bias_key = jax.random.split(key)
        shape = (in_channels, out_channels // groups, *kernel)
        draw = lambda key, shape: jax.random.uniform(key, shape, dtype or float, -limit, limit)
        self.weight, self.bias = draw(weight_key, shape), draw(bias_key, (out_channels,)) if bias else None
        self.stride, self.padding = per_axis(stride, num_spatial_dims), per_axis(padding, num_spatial_dims)
        self.output_padding = per_axis(output_padding, num_spatial_dims)
        self.groups, self.dilation = groups, per_axis(dilation, num_spatial_dims)

    def __call__(self, x, output_size=None, *, key=None):
        extra = self.output_padding
        if output_size is not None:
            extra = extra_padding(x, output_size, self.kernel_size, self.stride, self.padding, self.dilation)
        return conv_transpose(x, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)


class ConvTranspose2d(ConvTranspose):
    """torch.nn.ConvTranspose2d."""

    def __init__(self, *args, key, **kwargs):
        super().__init__(2, *args, key=key, **kwargs)


def adaptive_cells(size, cells):
    """Start and end of torch's adaptive pooling cells, which may overlap."""
    return np.arange(cells) * size // cells, -(-(np.arange(1, cells + 1) * size) // cells)


def adaptive_avg_pool(x, output_size, ndim=2):
    """torch.nn.functional.adaptive_avg_pool1d, 2d, 3d (by `ndim`); None keeps the size of an axis."""
    for axis, cells in zip(range(-ndim, 0), per_axis(output_size, ndim)):
        if cells == 1:
            x = x.mean(axis, keepdims=True)
        elif cells is not None and cells != x.shape[axis]:
            start, end = adaptive_cells(x.shape[axis], cells)
            position = np.arange(x.shape[axis])
            inside = (position >= start[:, None]) & (position < end[:, None])
            weights = jnp.asarray(inside / (end - start)[:, None], x.dtype)
            x = jnp.moveaxis(jnp.moveaxis(x, axis, -1) @ weights.T, -1, axis)
    return x


def pad(x, pad, mode="constant", value=None):
    """torch.nn.functional.pad: pairs from the last axis backwards; negative widths crop."""
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs[::-1]
    if mode == "constant":
        return jax.lax.pad(x, jnp.asarray(0 if value is None else value, x.dtype), [(a, b, 0) for a, b in widths])
    if mode == "replicate":
        for axis, (a, b) in enumerate(widths):
            if (a, b) != (0, 0):
                x = jnp.take(x, np.clip(np.arange(-a, x.shape[axis] + b), 0, x.shape[axis] - 1), axis=axis)
        return x
    crop = tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, widths))
    return jnp.pad(x[crop], [(max(a, 0), max(b, 0)) for a, b in widths], "reflect" if mode == "reflect" else "wrap")


def source_positions(size, out, align_corners, scale):
    """Where in an axis of length `size` the centres of `out` resized cells lie."""
    cells = np.arange(out)
    if align_corners:
        return cells * ((size - 1) / (out - 1) if out > 1 else 0.0)
    return (cells + 0.5) * (1 / scale if scale else size / out) - 0.5


def cubic_kernel(distance, a=-0.75):
    """Keys' cubic convolution kernel; torch uses a = -0.75 (-0.5 with antialiasing)."""
    d = np.abs(distance)
    near, far = ((a + 2) * d - (a + 3)) * d * d + 1, ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def resize_weights(size, out, mode, align_corners=False, scale=None):
    """The matrix (out, size) that resizes an axis by linear or cubic interpolation as torch does."""
    source = source_positions(size, out, align_corners, scale)
    if mode == "linear":
        source = np.maximum(source, 0)
    low = np.floor(source)
    weights = np.zeros((out, size))
    for tap in (0, 1) if mode == "linear" else (-1, 0, 1, 2):
        distance = source - low - tap
        weight = 1 - np.abs(distance) if mode == "linear" else cubic_kernel(distance)
        np.add.at(weights, (np.arange(out), np.clip(low + tap, 0, size - 1).astype(int)), weight)
    return weights


def nearest_positions(size, out, exact, scale):
    """The positions that torch's "nearest" and "nearest-exact" read (computed in float32, as torch does)."""
    step = np.float32(1 / scale if scale else size / out)
    cells = np.arange(out, dtype=np.float32) + np.float32(0.5 if exact else 0)
    return np.minimum(np.floor(cells * step).astype(int), size - 1)


def interpolate(x, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """torch.nn.functional.interpolate of (batch, channels, ...) arrays."""
    ndim = x.ndim - 2
    scales = (None,) * ndim
    if size is None:
        scales = per_axis(scale_factor, ndim)
        size = [math.floor(n * scale) for n, scale in zip(x.shape[2:], scales)]
        scales = (None,) * ndim if recompute_scale_factor else scales
    if mode == "area":
        return adaptive_avg_pool(x, tuple(size) if isinstance(size, (tuple, list)) else size, ndim)
    for axis, out, scale in zip(range(2, x.ndim), per_axis(size, ndim), scales):
        if mode.startswith("nearest"):
            x = jnp.take(x, nearest_positions(x.shape[axis], out, mode == "nearest-exact", scale), axis=axis)
        else:
            kernel = "cubic" if mode == "bicubic" else "linear"
            weights = resize_weights(x.shape[axis], out, kernel, align_corners, scale)
            x = jnp.moveaxis(jnp.moveaxis(x, axis, -1) @ jnp.asarray(weights.T, x.dtype), -1, axis)
    return x


class Upsample(eqx.Module):
    """torch.nn.Upsample."""

    size: int | tuple[int, ...] | None = eqx.field(static=True, default=None)
    scale_factor: float | tuple[float, ...] | None = eqx.field(static=True, default=None)
    mode: str = eqx.field(static=True, default="nearest")
    align_corners: bool | None = eqx.field(static=True, default=None)
    recompute_scale_factor: bool | None = eqx.field(static=True, default=None)

    def __call__(self, x, *, key=None):
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


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


if __name__ == "__main__":
    main()
