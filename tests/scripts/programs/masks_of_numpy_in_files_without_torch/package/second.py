import torch
import torch.nn.functional as F


def train(model, optimizer, batch):
    out = model(batch["x"])
    keep = batch["mask"]
    loss = F.cross_entropy(out, batch["y"], reduction="none")
    loss = (loss * keep).sum() / keep.sum() + out[keep].pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_others(model, optimizer, x, chosen):
    loss = model(x)[chosen].pow(2).mean() + model(x)[~chosen].abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def batches(n):
    for i in range(n):
        yield {"x": torch.arange(8.0).reshape(4, 2) - i, "y": torch.tensor([0, 1, 1, 0]), "mask": torch.arange(4) > i}
