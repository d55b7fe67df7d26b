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
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))

    def forward(self, x):
        return self.net(x)


def make_train_step(model, optimizer):
    criterion = nn.CrossEntropyLoss()

    def step(x, y):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def make_eval_step(model):
    def step(x, y):
        with torch.no_grad():
            return (model(x).argmax(dim=1) == y).float().mean().item()

    return step


def fit(step, loader, epochs):
    history = []
    for _ in range(epochs):
        total = 0.0
        for x, y in loader:
            total += step(x, y)
        history.append(total / len(loader))
    return history


def main():
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 128).reshape(32, 4)
    y = torch.arange(32) % 3
    loader = DataLoader(TensorDataset(x, y), batch_size=8)
    model = Net()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    train_step = make_train_step(model, optimizer)
    eval_step = make_eval_step(model)
    print(eval_step(x, y))
    print(fit(train_step, loader, 5))
    print(eval_step(x, y))
    print(model(x).sum().item())


if __name__ == "__main__":
    main()
