"""Train a small classifier and report its accuracy."""

import collections.abc

import grain
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class MLP(nnx.Module):
    """Fully connected network with ReLU activations and dropout."""

    def __init__(self, input_dim: int, hidden_sizes=(64, 32), num_classes=10, p=0.1, *, rngs):
        layers = []
        prev_dim = input_dim
        for h in hidden_sizes:
            layers.append(nnx.Linear(prev_dim, h, **torch_init(prev_dim), rngs=rngs))
            layers.append(nnx.relu)
            layers.append(nnx.Dropout(p, rngs=rngs))
            prev_dim = h
        layers.append(nnx.Linear(prev_dim, num_classes, **torch_init(prev_dim), rngs=rngs))
        self.net = nnx.Sequential(*layers)

    def __call__(self, x):
        return self.net(x)


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return cross_entropy(model(x), y)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def train(model, loader, optimizer, device):
    """One pass over the data; returns the mean loss."""
    model.train()
    total = 0.0
    for x, y in loader:
        x, y = jax.device_put((x, y), device)
        loss = train_step(model, optimizer, x, y)
        total += loss.item()
    return total / len(loader)


@nnx.jit
def evaluate_step(model, x, y):
    pred = model(x).argmax(axis=1)
    return (pred == y).sum()


def evaluate(model, loader, device):
    """Share of examples that the model classifies correctly."""
    model.eval()
    correct = 0
    for x, y in loader:
        correct += evaluate_step(model, x, y).item()
    return correct / len(loader.dataset)


def main():
    rngs = nnx.Rngs(0)
    device = jax.devices()[0]

    x = rngs.normal((512, 20))
    y = (x[:, :10].sum(axis=1) > 0).astype(int)
    dataset = ArrayDataset(x, y)
    train_loader = DataLoader(dataset, batch_size=64, shuffle=True)
    test_loader = DataLoader(dataset, batch_size=64)

    model = MLP(20, num_classes=2, rngs=rngs)
    optimizer = nnx.Optimizer(model, optax.adamw(1e-2, weight_decay=0.01), wrt=nnx.Param)
    for epoch in range(5):
        loss = train(model, train_loader, optimizer, device)
        accuracy = evaluate(model, test_loader, device)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f}")


# --- torch2jax support -------------------------------------------------------------------------


class ArrayDataset:
    """torch.utils.data.TensorDataset: tuples of rows taken from equally long arrays."""

    def __init__(self, *arrays):
        self.arrays = [np.asarray(a) for a in arrays]

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, index):
        return tuple(a[index] for a in self.arrays)


class Subset:
    """torch.utils.data.Subset: the given indices of a dataset."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        return self.dataset[int(self.indices[index])]


def default_collate(samples):
    """torch.utils.data.default_collate: stack arrays and numbers, keep strings in a list, go into dicts and tuples."""
    first = samples[0]
    if isinstance(first, (str, bytes)):
        return list(samples)
    if isinstance(first, collections.abc.Mapping):
        return {key: default_collate([sample[key] for sample in samples]) for key in first}
    if hasattr(first, "_fields"):
        return type(first)(*map(default_collate, zip(*samples)))
    if isinstance(first, (tuple, list)):
        return [default_collate(members) for members in zip(*samples)]
    return np.stack([np.asarray(sample) for sample in samples])


class DataLoader:
    """torch.utils.data.DataLoader: batches of a dataset, in a new order at every pass where `shuffle` is set."""

    def __init__(self, dataset, batch_size=1, shuffle=False, sampler=None, collate_fn=None, drop_last=False, seed=0):
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, shuffle, sampler
        self.collate_fn = default_collate if collate_fn is None else collate_fn
        self.drop_last, self.seed = drop_last, seed

    def __len__(self):
        full, rest = divmod(len(self.dataset if self.sampler is None else self.sampler), self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    def __iter__(self):
        dataset = self.dataset if self.sampler is None else Subset(self.dataset, list(self.sampler))
        data = grain.MapDataset.source(dataset)
        if self.shuffle:
            data = data.shuffle(seed=self.seed)
            self.seed += 1
        return iter(data.batch(self.batch_size, drop_remainder=self.drop_last, batch_fn=self.collate_fn))


def reduce_loss(loss, reduction):
    """torch's `reduction`: "none", "mean" over all elements, or "sum"."""
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.mean()


def target_weights(targets, weight, ignore_index, dtype):
    """The class weight of every target; 0 where it is ignored."""
    keep = targets != ignore_index
    return keep.astype(dtype) if weight is None else jnp.where(keep, jnp.take(weight, jnp.where(keep, targets, 0)), 0)


def nll_loss(log_probs, targets, weight=None, ignore_index=-100, reduction="mean"):
    """torch.nn.functional.nll_loss: classes on axis 1; the mean divides by the weights of the targets that count."""
    log_probs = jnp.moveaxis(log_probs, min(1, log_probs.ndim - 1), -1)
    weights, keep = target_weights(targets, weight, ignore_index, log_probs.dtype), targets != ignore_index
    picked = jnp.take_along_axis(log_probs, jnp.where(keep, targets, 0)[..., None], axis=-1)[..., 0]
    loss = jnp.where(keep, -picked * weights, 0)
    return loss.sum() / weights.sum() if reduction == "mean" else reduce_loss(loss, reduction)


def cross_entropy(logits, targets, weight=None, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    """torch.nn.functional.cross_entropy: classes on axis 1; `targets` are class indices or class probabilities."""
    axis = min(1, logits.ndim - 1)
    log_probs = jax.nn.log_softmax(logits, axis=axis)
    classes = logits.shape[axis]
    per_class = 1 if weight is None else weight.reshape((-1,) + (1,) * (logits.ndim - axis - 1))
    if jnp.issubdtype(targets.dtype, jnp.floating):
        targets = targets * (1 - label_smoothing) + label_smoothing / classes
        loss = -(log_probs * targets * per_class).sum(axis)
        return reduce_loss(loss, reduction)
    loss = nll_loss(log_probs, targets, weight, ignore_index, reduction)
    if label_smoothing:
        smooth = jnp.where(targets != ignore_index, -(log_probs * per_class).sum(axis), 0)
        if reduction == "mean":
            smooth = smooth.sum() / target_weights(targets, weight, ignore_index, smooth.dtype).sum()
        else:
            smooth = reduce_loss(smooth, reduction)
        loss = (1 - label_smoothing) * loss + label_smoothing / classes * smooth
    return loss


def torch_init(fan_in):
    """Initializers that draw weights and biases as `torch.nn.Linear` does."""
    bound = fan_in**-0.5

    def uniform(key, shape, dtype=jnp.float32):
        return jax.random.uniform(key, shape, dtype, -bound, bound)

    return {"kernel_init": uniform, "bias_init": uniform}


if __name__ == "__main__":
    main()
