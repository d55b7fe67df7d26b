"""Steps that read what changes around them: fields of a configuration, and a global number."""

from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

scale = 1.0


@dataclass
class Config:
    width: int = 3
    power: int = 2


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.layer = nn.Linear(2, config.width)

    def crop(self, power):
        self.config.power = power

    def forward(self, x):
        return self.layer(x) ** self.config.power * scale


class Trainer:
    def __init__(self, config, model, optimizer):
        self.config = config
        self.model = model
        self.optimizer = optimizer

    def run(self, x):
        loss = self.model(x).abs().mean() + self.config.power
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    global scale
    dist.init_process_group("gloo")
    rows = torch.sin(torch.arange(32.0)).reshape(16, 2)
    dataset = TensorDataset(rows)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    config = Config()
    net = Net(config)
    with torch.no_grad():
        net.layer.weight.copy_(torch.linspace(-0.5, 0.7, 6).reshape(3, 2))
        net.layer.bias.fill_(0.1)
    model = DDP(net)
    trainer = Trainer(config, model, torch.optim.SGD(model.parameters(), lr=0.05))
    for epoch in range(3):
        for (x,) in loader:
            print(f"{trainer.run(x):.4f}")
        scale = scale + 0.5
        if epoch == 1:
            config.power = 3
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
