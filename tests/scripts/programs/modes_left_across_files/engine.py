import torch


@torch.no_grad()
def evaluate(model, x):
    model.eval()
    return model(x).sum().item()


def score(model, x):
    model.eval()
    with torch.no_grad():
        y = model(x).abs().sum()
    model.train()
    return y.item()
