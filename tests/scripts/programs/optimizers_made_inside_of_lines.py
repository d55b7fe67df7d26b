# also: nnx, linen
"""Optimizers that are made in the arguments of functions, wherever in a line these are called."""
import torch
import torch.nn as nn

x = torch.arange(6.0).reshape(2, 3).cos()


def make():
    model = nn.Linear(3, 2)
    nn.init.constant_(model.weight, 0.2)
    nn.init.zeros_(model.bias)
    return model


def fit(model, optimizer, rounds=2):
    losses = []
    for _ in range(rounds):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


net = make()
print("%.4f" % fit(net, torch.optim.Adam(net.parameters(), lr=0.1))[-1])
print(f"last: {fit(net, torch.optim.SGD(net.parameters(), lr=0.1), rounds=3)[-1]:.4f}")


def main():
    model = make()
    scores = {"sgd": 10 * fit(model, torch.optim.SGD(model.parameters(), lr=0.1))[-1]}
    scores["adam"] = fit(model=model, optimizer=torch.optim.Adam(model.parameters(), lr=0.1))[0]
    for name, score in scores.items():
        print(name, round(score, 4))
    return sum(fit(model, torch.optim.Adagrad(model.parameters(), lr=0.1))) / 2


print("mean: %.4f" % main())
