"""Helpers that reduce the losses of a step, behind it: they are given what each process has."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def reduce_mean(tensor, nprocs):
    rt = tensor.clone()
    dist.all_reduce(rt, op=dist.ReduceOp.SUM)
    rt /= nprocs
    return rt


def reduce_tensor(tensor):
    rt = tensor.clone()
    dist.all_reduce(rt, op=dist.ReduceOp.MAX)
    return rt


def gather(tensor):
    parts = [torch.zeros_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor)
    return torch.stack(parts)


def sum_of_numbers(x):
    if not (dist.is_available() and dist.is_initialized()):
        return x
    t = torch.tensor(x)
    dist.all_reduce(t)
    return t.item()


def reduce_dict(values, average=True):
    if dist.get_world_size() < 2:
        return values
    with torch.no_grad():
        names, found = [], []
        for name in sorted(values.keys()):
            names.append(name)
            found.append(values[name])
        found = torch.stack(found, dim=0)
        dist.all_reduce(found)
        if average:
            found /= dist.get_world_size()
        return dict(zip(names, found, strict=True))


@torch.no_grad()
def validate(loader, model):
    model.eval()
    total = 0.0
    for x, y in loader:
        output = model(x)
        loss = nn.functional.mse_loss(output, y)
        loss = reduce_mean(loss, dist.get_world_size())
        total += loss.item()
    return total


def train(loader, model, optimizer):
    kept = []
    for x, y in loader:
        output = model(x)
        loss = nn.functional.mse_loss(output, y)
        extra = output.abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        dist.barrier()
        mean = reduce_mean(loss, dist.get_world_size())
        largest = reduce_tensor(loss.detach())
        kept.append(loss.item())
        number = loss.item()
        print(f"{sum_of_numbers(number):.4f} {number:.4f}")
        told = reduce_dict({"loss": loss.detach(), "extra": extra})
        print({name: round(value.item(), 4) for name, value in told.items()})
        print(f"{mean.item():.4f} {largest.item():.4f} {reduce_tensor(extra).item():.4f} {loss.item():.4f}")
        print([round(v, 4) for v in gather(loss.detach()).tolist()])
        loss = reduce_mean(loss, 2)
        print(f"{loss.item():.4f}")
    print(f"{sum(kept):.4f}")


def main():
    dist.init_process_group("gloo")
    rows = torch.sin(torch.arange(32.0)).reshape(16, 2)
    dataset = TensorDataset(rows, rows.sum(dim=1, keepdim=True))
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.2)
        net.bias.fill_(0.1)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(2):
        train(loader, model, optimizer)
        print(f"{validate(loader, model):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
