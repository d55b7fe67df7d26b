"""Linear regression from scratch: tensors, autograd and a hand-written update."""

import math

import jax
import jax.numpy as jnp


def make_data(w, b, num_examples, noise=0.01, *, key):
    """Examples of y = Xw + b + noise."""
    x_key, randn_key = jax.random.split(key)
    X = jax.random.normal(x_key, (num_examples, len(w)))
    y = X @ w + b
    y += noise * jax.random.normal(randn_key, y.shape)
    return X, y.reshape(-1, 1)


def batches(batch_size, features, labels, *, key):
    """Yield minibatches in a random order."""
    num_examples = len(features)
    indices = jax.random.permutation(key, num_examples)
    for i in range(0, num_examples, batch_size):
        batch = indices[i : min(i + batch_size, num_examples)]
        yield features[batch], labels[batch]


def linreg(X, w, b):
    return X @ w + b


def squared_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()


def train(features, labels, num_epochs=4, batch_size=25, lr=0.1, momentum=0.5, *, key):
    """Gradient descent with momentum; returns the parameters and the loss of every step."""
    key, subkey = jax.random.split(key)
    w = 0.0 + 0.01 * jax.random.normal(subkey, (features.shape[1], 1))
    b = jnp.zeros(1)
    velocity_w = jnp.zeros_like(w)
    velocity_b = jnp.zeros_like(b)

    losses = []
    for epoch in range(num_epochs):
        key, subkey = jax.random.split(key)
        for X, y in batches(batch_size, features, labels, key=subkey):
            def loss_fn(w, b):
                return squared_loss(linreg(X, w, b), y)

            loss, (w_grad, b_grad) = jax.value_and_grad(loss_fn, argnums=(0, 1))(w, b)
            velocity_w = momentum * velocity_w - lr * w_grad
            velocity_b = momentum * velocity_b - lr * b_grad
            w += velocity_w
            b += velocity_b
            losses.append(loss.item())
        train_loss = squared_loss(linreg(features, w, b), labels)
        print(f"epoch {epoch + 1}, loss {float(train_loss):f}")
    return w, b, losses


def fit_closed_form(features, labels):
    """The least-squares solution, with a column of ones for the intercept."""
    ones = jnp.ones((features.shape[0], 1))
    design = jnp.concatenate([features, ones], axis=1)
    solution = jnp.linalg.solve(design.T @ design, design.T @ labels)
    return solution[:-1], solution[-1]


def main():
    key = jax.random.key(42)
    true_w = jnp.array([2.0, -3.4, 0.5])
    true_b = 4.2
    key, subkey = jax.random.split(key)
    features, labels = make_data(true_w, true_b, 200, key=subkey)
    key, subkey = jax.random.split(key)
    w, b, losses = train(features, labels, key=subkey)

    error_w = absolute(true_w - jax.lax.stop_gradient(w).reshape(true_w.shape)).max()
    error_b = abs(true_b - b.item())
    print(f"error in w: {error_w.item():.4f}, error in b: {error_b:.4f}")

    best_w, best_b = fit_closed_form(features, labels)
    distance = norm(jnp.concatenate([w - best_w, (b - best_b)[:, None]]), 2)
    print(f"distance to the least-squares solution: {distance.item():.4f}")
    return losses


# --- torch2jax support -------------------------------------------------------------------------


def absolute(x):
    """torch.abs: as jnp.abs, with gradient 0 at 0."""
    return jnp.abs(x) if jnp.iscomplexobj(x) else x * jax.lax.stop_gradient(jnp.sign(x))


def safe_sqrt(x):
    """Square root whose gradient at 0 is 0, as in torch's norm, std and cdist."""
    return jnp.where(x == 0, 0, jnp.sqrt(jnp.where(x == 0, 1, x)))


def norm(x, p="fro"):
    """torch.norm: the entrywise p-norm over `dim` (all axes by default), with gradient 0 where the norm is 0."""
    if p == "nuc":
        return jnp.linalg.norm(x, "nuc", axis=None, keepdims=False)
    size = absolute(x)
    if p in ("fro", None, 2):
        return safe_sqrt(jnp.sum(size * size, axis=None, keepdims=False))
    if p == 0:
        return jnp.sum(x != 0, axis=None, keepdims=False).astype(size.dtype)
    if p == 1:
        return jnp.sum(size, axis=None, keepdims=False)
    if p == math.inf:
        return jnp.max(size, axis=None, keepdims=False)
    if p == -math.inf:
        return jnp.min(size, axis=None, keepdims=False)
    powers = jnp.where(size == 0, 0.0 if p > 0 else math.inf, jnp.where(size == 0, 1, size) ** p)
    total = jnp.sum(powers, axis=None, keepdims=False)
    none = (total == 0) | jnp.isinf(total)
    return jnp.where(none, total if p > 0 else 0, jnp.where(none, 1, total) ** (1 / p))


if __name__ == "__main__":
    main()
