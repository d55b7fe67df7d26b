import torch

total = torch.zeros(1)


def add(x: torch.Tensor):
    global total
    total = total + torch.sum(x)
    count = 0

    def step():
        nonlocal count
        count += 1
        return torch.full((1,), count)

    return step()
