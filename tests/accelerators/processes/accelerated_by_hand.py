"""What the trainer with an accelerator does, written with DistributedDataParallel."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def batches(count, size, rank, world):
    """The rows of each batch of one process: the first rows complete the last batches."""
    positions = list(range(count))
    if world > 1:
        positions += positions[: -count % (size * world)]
    parts = [positions[start : start + size] for start in range(0, len(positions), size)]
    return parts[rank::world]


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    model = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    x = torch.sin(torch.arange(57.0)).reshape(19, 3)
    y = x[:, :2].cos()
    model = DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 / (1 + step))
    for epoch in range(2):
        parts = batches(len(x), 2, rank, world)
        for number, part in enumerate(parts):
            loss = nn.functional.mse_loss(model(x[part]), y[part])
            (loss / 2).backward()
            if number % 2 or number + 1 == len(parts):
                nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                optimizer.step()
                for _ in range(world):
                    scheduler.step()
                optimizer.zero_grad()
            if rank == 0:
                print(f"{epoch} {loss.item():.5f}")
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        if rank == 0:
            print(f"{mean.item() / world:.5f} {len(parts)} {world}")
    if rank == 0:
        for name, p in model.module.named_parameters():
            print(name, round(p.sum().item(), 4))


if __name__ == "__main__":
    main()
