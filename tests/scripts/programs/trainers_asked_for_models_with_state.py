import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x))))


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr=0.1, clip=None):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.clip = clip
        self.criterion = nn.MSELoss()
        self.configure_optimizers(lr)

    def configure_optimizers(self, lr):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            if self.clip is not None:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()
            total += loss.item() * x.size(0)
        self.scheduler.step()
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.val_loader:
            total += self.criterion(self.model(x), y).item() * len(x)
        return total / len(self.val_loader.dataset)

    def fit(self, epochs):
        self.history = {"train": [], "val": []}
        best = float("inf")
        for epoch in range(epochs):
            train = self.train_epoch()
            val = self.validate()
            self.history["train"].append(train)
            self.history["val"].append(val)
            if val < best:
                best = val
            print(f"epoch {epoch}: {train:.5f} {val:.5f} lr={self.optimizer.param_groups[0]['lr']:.4f}")
        return best


def main():
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 96).reshape(32, 3)
    y = (x**2).sum(1, keepdim=True)
    train = DataLoader(TensorDataset(x[:24], y[:24]), batch_size=8)
    val = DataLoader(TensorDataset(x[24:], y[24:]), batch_size=8)
    model = Net()
    start(model)
    trainer = Trainer(model, train, val, lr=0.05, clip=1.0)
    print(trainer.fit(5))
    print(trainer.history["val"][-1])
    model.eval()
    print(model(x).sum().item())
    print(trainer.model(x).sum().item())


if __name__ == "__main__":
    main()
