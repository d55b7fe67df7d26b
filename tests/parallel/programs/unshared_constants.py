"""A buffer that the wrapper leaves to each process, and that nobody changes."""

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
        self.register_buffer("scale", torch.tensor([0.5, 2.0]))

    def forward(self, x):
        return self.fc(x * self.scale[:2])


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.linspace(-1, 1, 32).reshape(16, 2), torch.ones(16, 1))
    loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset, shuffle=False))
    model = Net()
    for p in model.parameters():
        p.data.fill_(0.25)
    model._ddp_params_and_buffers_to_ignore = {"scale"}
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print(f"step {step}: {[round(value, 5) for value in model.module.fc.weight.flatten().tolist()]}")


if __name__ == "__main__":
    main()
