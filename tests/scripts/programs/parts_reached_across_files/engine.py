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
