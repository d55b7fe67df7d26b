"""Variables that begin as a rank are declared, bound and deleted by their names."""

import torch
import torch.distributed as dist


def batches(data, step):
    cursor = dist.get_rank() if dist.is_initialized() else 0
    other = dist.get_rank() if dist.is_initialized() else 0
    first = data[other + 1]
    epoch = 1

    def take():
        nonlocal cursor, epoch
        row = data[cursor]
        cursor += step
        if cursor >= len(data):
            cursor = cursor % len(data)
            epoch += 1
        return row

    del other
    return [take().item() for _ in range(6)], epoch, first


print(batches(torch.arange(4.0), 1))
