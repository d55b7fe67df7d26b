"""Loops over paths, settings and groups of parameters, which are no batches."""

from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(loader, model, optimizer, settings, folder):
    name = next(Path(folder).glob("*.py"), None)
    print(name is None)
    for group in optimizer.param_groups:
        group["lr"] = settings["lr"]
    for key, value in settings.items():
        print(key, value)
    for path in sorted(Path(folder).glob("nothing*")):
        print(path)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f}")


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
    train(loader, model, optimizer, {"lr": 0.02}, "nowhere")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
