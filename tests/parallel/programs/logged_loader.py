"""A generator hands on the batches of a loader, and a loop over it trains."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Logger:
    def __init__(self):
        self.lines = []

    def log_every(self, iterable, freq, header):
        for i, obj in enumerate(iterable, 1):
            yield obj
            if i % freq == 0:
                print(f"{header} {i} of {len(iterable)}")


def train(loader, model, optimizer, logger):
    for x, y in logger.log_every(loader, 2, "train"):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f} {x.size(0)}")


def main():
    dist.init_process_group("gloo")
    rows = torch.sin(torch.arange(64.0)).reshape(32, 2)
    dataset = TensorDataset(rows, rows.sum(dim=1, keepdim=True))
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.2)
        net.bias.fill_(0.1)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    train(loader, model, optimizer, Logger())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
