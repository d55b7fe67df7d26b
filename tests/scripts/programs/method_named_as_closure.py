# also: nnx
import torch


def fill(total, parts):
    def add(part):
        total.add_(part)

    for part in parts:
        add(part)
    return parts[0].add(1.0)


total = torch.zeros(3)
print(fill(total, [torch.ones(3), torch.arange(3.0)]), total)
