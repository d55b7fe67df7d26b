# flagged: T2J508
"""A seed that is kept in a variable with the rank added to it, and data that is drawn from it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    seed = 3 + dist.get_rank()
    torch.manual_seed(seed)
    dataset = TensorDataset(torch.randn(12, 2), torch.ones(12, 1))
    loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset))
    model = DDP(nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
