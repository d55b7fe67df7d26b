"""Training with a Fabric that says for how many devices it is: rows go to one process after another."""

import torch
import torch.nn as nn
from lightning.fabric import Fabric
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))

    def forward(self, x):
        return self.layers(x)


def main(fabric: Fabric, epochs: int = 2):
    x = torch.sin(torch.arange(54.0)).reshape(18, 3)
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(x, x[:, :2].cos()), batch_size=3))
    with fabric.init_module():
        model = Net()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    for epoch in range(epochs):
        for iteration, (a, b) in enumerate(loader):
            is_accumulating = iteration % 2 != 1
            with fabric.no_backward_sync(model, enabled=is_accumulating):
                loss = nn.functional.mse_loss(model(a), b)
                fabric.backward(loss)
            if not is_accumulating:
                fabric.clip_gradients(model, optimizer, clip_val=0.1)
                optimizer.step()
                optimizer.zero_grad()
        mean = fabric.all_reduce(loss.detach(), reduce_op="mean")
        fabric.print(f"{mean.item():.5f}")
    if fabric.is_global_zero:
        print(f"{sum(p.sum().item() for p in model.parameters()):.4f} {fabric.world_size}")


if __name__ == "__main__":
    fabric = Fabric(accelerator="cpu", devices=2, strategy="ddp")
    fabric.launch()
    main(fabric)
