"""Training of a model that is wrapped by its caller."""

import torch


def fit(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        loss = model(torch.ones(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(model.module.a.tolist())
    return model.module
