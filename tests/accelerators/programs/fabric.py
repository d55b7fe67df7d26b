"""Training and evaluation by functions that are given the object."""

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


def train(fabric, model, optimizer, train_loader, epochs):
    for epoch in range(epochs):
        model.train()
        for batch_idx, (data, target) in enumerate(train_loader):
            optimizer.zero_grad()
            loss = F.mse_loss(model(data), target)
            fabric.backward(loss)
            fabric.clip_gradients(model, optimizer, max_norm=0.5)
            optimizer.step()
            if batch_idx % 2 == 0:
                fabric.print(f"{epoch} {batch_idx} {loss.item():.5f}")


@torch.no_grad()
def validate(fabric, model, loader):
    model.eval()
    total, count = 0.0, 0
    for data, target in loader:
        total += F.mse_loss(model(data), target, reduction="sum").item()
        count += len(data)
    return total / count


def main():
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.launch()
    fabric.seed_everything(1)
    with fabric.rank_zero_first(local=False):
        x = torch.sin(torch.arange(54.0)).reshape(18, 3)
    data = TensorDataset(x, x[:, :2].cos())
    train_loader, test_loader = DataLoader(data, batch_size=4), DataLoader(data, batch_size=6)
    train_loader, test_loader = fabric.setup_dataloaders(train_loader, test_loader)
    model = Net()
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model, optimizer = fabric.setup(model, optimizer)
    train(fabric, model, optimizer, train_loader, 2)
    loss = validate(fabric, model, test_loader)
    fabric.print(f"{loss:.5f} {fabric.global_rank} {fabric.world_size}")
    if fabric.is_global_zero:
        print("saving")
    state = {"model": model, "optimizer": optimizer, "epoch": 2}
    fabric.save("model.ckpt", state)
    fabric.barrier()


if __name__ == "__main__":
    main()
