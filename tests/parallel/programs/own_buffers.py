# flagged: T2J200 T2J508
"""Every process keeps the statistics of its own batches."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(24.0).reshape(12, 2), torch.ones(12, 1))
    loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset))
    model = DDP(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1)), broadcast_buffers=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
