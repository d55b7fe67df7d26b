"""A variational autoencoder for small binary images of bars."""

import collections.abc
import inspect
import itertools
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class VAE(eqx.Module):
    latent_dim: int
    fc1: eqx.nn.Linear
    fc21: eqx.nn.Linear
    fc22: eqx.nn.Linear
    fc3: eqx.nn.Linear
    fc4: eqx.nn.Linear

    def __init__(self, input_dim=64, hidden_dim=32, latent_dim=4, *, key):
        fc1_key, fc21_key, fc22_key, fc3_key, fc4_key = jax.random.split(key, 5)
        self.latent_dim = latent_dim
        self.fc1 = eqx.nn.Linear(input_dim, hidden_dim, key=fc1_key)
        self.fc21 = eqx.nn.Linear(hidden_dim, latent_dim, key=fc21_key)
        self.fc22 = eqx.nn.Linear(hidden_dim, latent_dim, key=fc22_key)
        self.fc3 = eqx.nn.Linear(latent_dim, hidden_dim, key=fc3_key)
        self.fc4 = eqx.nn.Linear(hidden_dim, input_dim, key=fc4_key)

    def encode(self, x):
        h1 = jax.nn.relu(batched(self.fc1)(x))
        return batched(self.fc21)(h1), batched(self.fc22)(h1)

    def reparameterize(self, mu, logvar, *, key):
        std = jnp.exp(0.5 * logvar)
        eps = jax.random.normal(key, std.shape)
        return mu + eps * std

    def decode(self, z):
        h3 = jax.nn.relu(batched(self.fc3)(z))
        return jax.nn.sigmoid(batched(self.fc4)(h3))

    def __call__(self, x, *, key):
        mu, logvar = self.encode(x.reshape(-1, 64))
        z = self.reparameterize(mu, logvar, key=key)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    """Reconstruction error plus Kullback-Leibler divergence, summed over elements and batch."""
    BCE = binary_cross_entropy(recon_x, x.reshape(-1, 64), reduction="sum")
    # 0.5 * sum(1 + log(sigma^2) - mu^2 - sigma^2)
    KLD = -0.5 * jnp.sum(1 + logvar - mu ** 2 - jnp.exp(logvar))
    return BCE + KLD


def make_bars(n, size=8, *, key):
    """Binary images with one horizontal and one vertical bar each."""
    rows_key, columns_key = jax.random.split(key)
    rows = jax.random.randint(rows_key, (n,), 0, size)
    columns = jax.random.randint(columns_key, (n,), 0, size)
    images = jnp.zeros((n, 1, size, size))
    index = jnp.arange(n)
    images = images.at[index, 0, rows].set(1.0)
    images = images.at[index, 0, :, columns].set(1.0)
    return images


@eqx.filter_jit
def train_step(optimizer, model, opt_state, data, *, key):
    def loss_fn(model):
        recon_batch, mu, logvar = model(data, key=key)
        return loss_function(recon_batch, data, mu, logvar)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_inexact_array))
    return eqx.apply_updates(model, updates), opt_state, loss


def train(epoch, model, optimizer, opt_state, train_loader, *, key):
    """Returns the mean loss per image of every step."""
    losses = []
    for batch_idx, (data,) in enumerate(train_loader):
        key, subkey = jax.random.split(key)
        model, opt_state, loss = train_step(optimizer, model, opt_state, data, key=subkey)
        losses.append(loss.item() / len(data))
    print(f"====> Epoch: {epoch} Average loss: {sum(losses) / len(losses):.4f}")
    return model, opt_state, losses


def test(model, test_loader, *, key):
    test_loss = 0
    for (data,) in test_loader:
        key, subkey = jax.random.split(key)
        recon_batch, mu, logvar = model(data, key=subkey)
        test_loss += loss_function(recon_batch, data, mu, logvar).item()
    test_loss /= len(test_loader.dataset)
    print(f"====> Test set loss: {test_loss:.4f}")


def main():
    key = jax.random.key(1)
    seed_host_rng(1)
    key, subkey = jax.random.split(key)
    train_loader = DataLoader(ArrayDataset(make_bars(256, key=subkey)), batch_size=32, shuffle=True)
    key, subkey = jax.random.split(key)
    test_loader = DataLoader(ArrayDataset(make_bars(64, key=subkey)), batch_size=64, shuffle=False)

    key, subkey = jax.random.split(key)
    model = VAE(key=subkey)
    optimizer = optax.adam(5e-3)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    losses = []
    for epoch in range(1, 4):
        key, subkey = jax.random.split(key)
        model, opt_state, out = train(epoch, model, optimizer, opt_state, train_loader, key=subkey)
        losses.extend(out)
        key, subkey = jax.random.split(key)
        test(model, test_loader, key=subkey)

    key, subkey = jax.random.split(key)
    sample = model.decode(jax.random.normal(subkey, (16, model.latent_dim)))
    print(f"mean brightness of samples: {sample.mean().item():.3f}")
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


def binary_cross_entropy(probs, targets, reduction="mean"):
    """torch.nn.functional.binary_cross_entropy: logarithms are at least -100, and p (1 - p) 1e-12 in the gradient."""
    p = jax.lax.stop_gradient(probs)
    loss = -(targets * jnp.maximum(jnp.log(p), -100) + (1 - targets) * jnp.maximum(jnp.log1p(-p), -100))
    slope = jax.lax.stop_gradient((p - targets) / jnp.maximum(p * (1 - p), 1e-12))
    loss = loss + slope * (probs - p)  # adds 0; carries the gradient
    return reduce_loss(loss, reduction)


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
