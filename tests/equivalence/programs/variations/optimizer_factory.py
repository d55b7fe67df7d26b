# expect: equal
"""A factory function makes the optimizer, another one the model."""

import torch
import torch.nn as nn


def make_model(d_in, width, d_out):
    return nn.Sequential(
        nn.Linear(d_in, width),
        nn.ReLU(),
        nn.Linear(width, d_out),
    )


def make_optimizer(model, lr=1e-2):
    return torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1, betas=(0.9, 0.98))


def run_epoch(model, optimizer, loss_fn, batches):
    losses = []
    for xb, yb in batches:
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(5)
    x = torch.randn(48, 7)
    y = (x[:, 0] * x[:, 1] > 0).float().unsqueeze(1)
    batches = [(x[i : i + 16], y[i : i + 16]) for i in range(0, 48, 16)]
    model = make_model(7, 24, 1)
    optimizer = make_optimizer(model)
    loss_fn = nn.BCEWithLogitsLoss()
    losses = []
    for epoch in range(5):
        losses.extend(run_epoch(model, optimizer, loss_fn, batches))
    probabilities = torch.sigmoid(model(x)).detach()
    print("mean probability", probabilities.mean().item())
    return losses


if __name__ == "__main__":
    main()
