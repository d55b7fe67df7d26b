"""Losses, predictions and targets of all processes, which are gathered behind the steps that give them."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def evaluate(model, loader, world):
    model.eval()
    predictions, targets = [], []
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            outs = [torch.zeros_like(out) for _ in range(world)]
            dist.all_gather(outs, out)
            ys = [torch.zeros_like(y) for _ in range(world)]
            dist.all_gather(ys, y)
            predictions.append(torch.cat(outs))
            targets.append(torch.cat(ys))
    predictions, targets = torch.cat(predictions), torch.cat(targets)
    return ((predictions - targets) ** 2).mean().item(), len(targets)


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    x = torch.sin(torch.arange(48.0)).reshape(16, 3)
    data = TensorDataset(x, x[:, :2].cos() + x[:, 2:])
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        model.train()
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses = [torch.zeros(()) for _ in range(world)]
            dist.all_gather(losses, loss.detach())
            if rank == 0:
                print([round(value.item(), 4) for value in losses])
        gathered = [None for _ in range(world)]
        dist.all_gather_object(gathered, loss.item())
        found, count = evaluate(model, loader, world)
        if rank == 0:
            print(f"{epoch} {sum(gathered) / len(gathered):.4f} {max(gathered):.4f} {found:.4f} {count}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
