import torch


def train(model, opt, x, steps):
    for _ in range(steps):
        loss = (model(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def pretrain(model, opt, x):
    for _ in range(2):
        loss = model.encode(x).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


def train_norm(model, opt, x):
    model.train()
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()


@torch.no_grad()
def evaluate(model, x):
    model.eval()
    return model(x).sum().item()
