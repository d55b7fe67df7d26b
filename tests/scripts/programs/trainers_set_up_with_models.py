"""configure_optimizers of the trainer gives a tuple"""

import torch
from torch import nn


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.drop = nn.Dropout(0.0)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(self.drop(torch.relu(self.fc(x))))

    def configure_optimizers(self, lr, betas):
        optimizer = torch.optim.Adam(self.parameters(), lr=lr, betas=betas)
        scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
        return optimizer, scheduler

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


x = torch.linspace(-1, 1, 48).reshape(16, 3)
y = x.prod(1, keepdim=True)
data = [(x[:8], y[:8]), (x[8:], y[8:])]
model = Net()
start(model)
trainer = Trainer(lr=0.05)
trainer.setup(model)
trainer.fit(data)
trainer.fit(data)
model.eval()
print(model(x).sum().item())
