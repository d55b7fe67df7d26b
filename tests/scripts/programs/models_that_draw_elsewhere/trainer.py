import torch


def fit(model, *inputs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        loss = (model(*inputs) - 1).pow(2).sum()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
