"""Linear regression from scratch: tensors, autograd and a hand-written update."""

import torch


def make_data(w, b, num_examples, noise=0.01):
    """Examples of y = Xw + b + noise."""
    X = torch.normal(0.0, 1.0, (num_examples, len(w)))
    y = torch.matmul(X, w) + b
    y += noise * torch.randn(y.shape)
    return X, y.reshape((-1, 1))


def batches(batch_size, features, labels):
    """Yield minibatches in a random order."""
    num_examples = len(features)
    indices = torch.randperm(num_examples)
    for i in range(0, num_examples, batch_size):
        batch = indices[i : min(i + batch_size, num_examples)]
        yield features[batch], labels[batch]


def linreg(X, w, b):
    return X @ w + b


def squared_loss(y_hat, y):
    return ((y_hat - y.reshape(y_hat.shape)) ** 2 / 2).mean()


def train(features, labels, num_epochs=4, batch_size=25, lr=0.1, momentum=0.5):
    """Gradient descent with momentum; returns the parameters and the loss of every step."""
    w = torch.normal(0.0, 0.01, size=(features.shape[1], 1), requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    velocity_w = torch.zeros_like(w)
    velocity_b = torch.zeros_like(b)

    losses = []
    for epoch in range(num_epochs):
        for X, y in batches(batch_size, features, labels):
            loss = squared_loss(linreg(X, w, b), y)
            loss.backward()
            with torch.no_grad():
                velocity_w = momentum * velocity_w - lr * w.grad
                velocity_b = momentum * velocity_b - lr * b.grad
                w += velocity_w
                b += velocity_b
                w.grad.zero_()
                b.grad.zero_()
            losses.append(loss.item())
        with torch.no_grad():
            train_loss = squared_loss(linreg(features, w, b), labels)
            print(f"epoch {epoch + 1}, loss {float(train_loss):f}")
    return w, b, losses


def fit_closed_form(features, labels):
    """The least-squares solution, with a column of ones for the intercept."""
    ones = torch.ones(features.size(0), 1)
    design = torch.cat([features, ones], dim=1)
    solution = torch.linalg.solve(design.T @ design, design.T @ labels)
    return solution[:-1], solution[-1]


def main():
    torch.manual_seed(42)
    true_w = torch.tensor([2.0, -3.4, 0.5])
    true_b = 4.2
    features, labels = make_data(true_w, true_b, 200)
    w, b, losses = train(features, labels)

    error_w = (true_w - w.detach().reshape(true_w.shape)).abs().max()
    error_b = abs(true_b - b.item())
    print(f"error in w: {error_w.item():.4f}, error in b: {error_b:.4f}")

    best_w, best_b = fit_closed_form(features, labels)
    distance = torch.linalg.vector_norm(torch.cat([w - best_w, (b - best_b).unsqueeze(1)]))
    print(f"distance to the least-squares solution: {distance.item():.4f}")
    return losses


if __name__ == "__main__":
    main()
