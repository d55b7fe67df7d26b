import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.drop = nn.Dropout(0.0)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.fc(x))))

    def training_step(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self(x), y)


class Trainer:
    def __init__(self, lr=0.01):
        self.lr = lr
        self.model = None

    def setup(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.lr)
        return self

    def fit(self, loader):
        for batch in loader:
            loss = self.model.training_step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        print(f"{loss.item():.5f}")
