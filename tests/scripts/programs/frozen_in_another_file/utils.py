def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def share(model):
    total, trained = 0, 0
    for p in model.parameters():
        total += p.numel()
        if p.requires_grad:
            trained += p.numel()
    return round(trained / total, 4)


def set_trained(nets, flag=False):
    if not isinstance(nets, list):
        nets = [nets]
    for net in nets:
        for p in net.parameters():
            p.requires_grad = flag
