import torch
from torch import nn


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)


class Stages:
    def __init__(self, model, loss_fn, optimizer):
        self.model = model
        self.loss_fn = loss_fn
        self.optimizer = optimizer
        self.train_loader = None
        self.val_loader = None
        self.losses = []
        self.val_losses = []
        self.total_epochs = 0
        self.train_step_fn = self._make_train_step_fn()
        self.val_step_fn = self._make_val_step_fn()

    def set_loaders(self, train_loader, val_loader=None):
        self.train_loader = train_loader
        self.val_loader = val_loader

    def _make_train_step_fn(self):
        def perform_train_step_fn(x, y):
            self.model.train()
            yhat = self.model(x)
            loss = self.loss_fn(yhat, y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            return loss.item()

        return perform_train_step_fn

    def _make_val_step_fn(self):
        def perform_val_step_fn(x, y):
            self.model.eval()
            yhat = self.model(x)
            loss = self.loss_fn(yhat, y)
            return loss.item()

        return perform_val_step_fn

    def _mini_batch(self, validation=False):
        if validation:
            data_loader = self.val_loader
            step_fn = self.val_step_fn
        else:
            data_loader = self.train_loader
            step_fn = self.train_step_fn
        if data_loader is None:
            return None
        mini_batch_losses = []
        for x_batch, y_batch in data_loader:
            mini_batch_losses.append(step_fn(x_batch, y_batch))
        return sum(mini_batch_losses) / len(mini_batch_losses)

    def train(self, n_epochs):
        for epoch in range(n_epochs):
            self.total_epochs += 1
            self.losses.append(self._mini_batch(validation=False))
            with torch.no_grad():
                self.val_losses.append(self._mini_batch(validation=True))


torch.manual_seed(0)
x = torch.linspace(-1, 1, 48).reshape(16, 3)
y = x.sum(1, keepdim=True)
loader = [(x[:8], y[:8]), (x[8:], y[8:])]
model = Net()
start(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
sbs = Stages(model, nn.MSELoss(), optimizer)
sbs.set_loaders(loader, loader)
sbs.train(5)
print(sbs.losses, sbs.val_losses, sbs.total_epochs)
print(model.fc.bias.item())
