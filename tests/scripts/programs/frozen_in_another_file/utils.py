def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def share(model):
    total, trained = 0, 0
    for p in model.parameters():
        total += p.numel()
        if p.requires_grad:
            trained += p.numel()
    return round(trained / total, 4)
