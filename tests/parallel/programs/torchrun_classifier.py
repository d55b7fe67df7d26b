"""A classifier, as torchrun starts it: samplers, batch statistics, reduced metrics, a checkpoint of the first process."""

import os

import numpy as np
import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, bias=False)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4 * 16, 3)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.fc(x.flatten(1))


def starting_values(model):
    rng = np.random.default_rng(3)
    values = {}
    for name, value in model.state_dict().items():
        if value.dtype == torch.float32:
            values[name] = torch.from_numpy(np.abs(rng.normal(size=tuple(value.shape)) * 0.3).astype(np.float32))
        else:
            values[name] = value
    return values


def train_one_epoch(model, loader, optimizer, device, epoch):
    model.train()
    total, count = 0.0, 0
    for i, (x, y) in enumerate(loader):
        x = x.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        out = model(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.7)
        optimizer.step()
        total += loss.item() * x.size(0)
        count += x.size(0)
        shown = loss.detach().clone()
        dist.all_reduce(shown)
        if dist.get_rank() == 0 and i % 2 == 0:
            print(f"epoch {epoch} step {i} own {loss.item():.4f} mean {shown.item() / dist.get_world_size():.4f}")
    stats = torch.tensor([total, count], device=device)
    dist.all_reduce(stats, op=dist.ReduceOp.SUM)
    return (stats[0] / stats[1]).item()


def evaluate(model, loader, device):
    model.eval()
    correct = 0
    total = 0
    loss_sum = 0.0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            out = model(x)
            loss_sum += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(dim=1) == y).sum().item()
            total += y.size(0)
    result = torch.tensor([loss_sum, float(correct), float(total)]).to(device)
    dist.all_reduce(result)
    return result[0].item() / result[2].item(), result[1].item() / result[2].item()


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    world_size = int(os.environ["WORLD_SIZE"])
    device = torch.device("cpu")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(37, 1, 6, 6)).astype(np.float32)
    dataset = TensorDataset(torch.from_numpy(x), torch.from_numpy(rng.integers(0, 3, 37)))
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank, shuffle=False, drop_last=True)
    loader = DataLoader(dataset, batch_size=16 // world_size, sampler=sampler)
    val_loader = DataLoader(dataset, batch_size=5, sampler=DistributedSampler(dataset, shuffle=False))
    model = Net()
    model.load_state_dict(starting_values(model))
    model = model.to(device)
    model = DistributedDataParallel(model, find_unused_parameters=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        train_loss = train_one_epoch(model, loader, optimizer, device, epoch)
        val_loss, accuracy = evaluate(model, val_loader, device)
        if rank == 0:
            print(f"epoch {epoch} {train_loss:.4f} {val_loss:.4f} {accuracy:.4f}")
    if rank == 0:
        torch.save(model.module.state_dict(), "model.pt")
        state = torch.load("model.pt")
        print(
            sorted(state), *(f"{state[name].double().sum().item():.3f}" for name in ("conv.weight", "bn.running_var"))
        )
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
