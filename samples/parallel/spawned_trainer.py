"""Train with a class of its own, in processes that the program starts itself: `python spawned_trainer.py 8`."""

import os
import sys

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Waves(Dataset):
    def __init__(self, count):
        rng = np.random.default_rng(5)
        self.x = torch.from_numpy(rng.normal(size=(count, 6)).astype(np.float32))
        self.y = torch.sin(self.x).sum(dim=1, keepdim=True)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ.setdefault("MASTER_PORT", "29571")
    dist.init_process_group(backend="gloo", rank=rank, world_size=world_size)


class Trainer:
    def __init__(self, model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, rank: int):
        self.rank = rank
        self.loader = loader
        self.optimizer = optimizer
        self.model = DDP(model)
        self.losses = []

    def _run_batch(self, source, targets):
        self.optimizer.zero_grad()
        output = self.model(source)
        loss = nn.functional.mse_loss(output, targets)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def _run_epoch(self, epoch):
        size = len(next(iter(self.loader))[0])
        self.loader.sampler.set_epoch(epoch)
        for source, targets in self.loader:
            source = source.to("cpu")
            targets = targets.to("cpu")
            self._run_batch(source, targets)
        if self.rank == 0:
            print(
                f"epoch {epoch}: {size} rows, {len(self.loader)} steps, losses {self.losses[0]:.4f} {self.losses[-1]:.4f}"
            )

    def train(self, epochs):
        for epoch in range(epochs):
            self._run_epoch(epoch)
        if self.rank == 0:
            for name, value in self.model.module.state_dict().items():
                print(name, f"{value.abs().sum().item():.4f}")


def main(rank: int, world_size: int, epochs: int):
    setup(rank, world_size)
    dataset = Waves(22)
    loader = DataLoader(dataset, batch_size=4, shuffle=False, sampler=DistributedSampler(dataset, shuffle=False))
    model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
    for parameter in model.parameters():
        nn.init.constant_(parameter, 0.05)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    trainer = Trainer(model, loader, optimizer, rank)
    trainer.train(epochs)
    dist.destroy_process_group()


if __name__ == "__main__":
    world_size = int(sys.argv[1])
    mp.spawn(main, args=(world_size, 3), nprocs=world_size)
