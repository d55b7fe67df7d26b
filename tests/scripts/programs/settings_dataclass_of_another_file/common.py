import torch


def fill(module, scale=0.3):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            n = p.numel()
            p.copy_((torch.sin(torch.arange(n, dtype=torch.float32) * 0.7 + i) * scale).view_as(p))
    return module


def batches(count, size, width, classes):
    for b in range(count):
        x = torch.cos(torch.arange(size * width, dtype=torch.float32) * 0.31 + b).view(size, width)
        y = (torch.arange(size) + b) % classes
        yield x, y
