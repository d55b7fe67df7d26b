import torch
from torch import nn, optim


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(2, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.fc2(torch.sigmoid(self.fc1(x)))


class BaseTrainer:
    def __init__(self, model, config):
        self.model = model
        self.config = config
        self.setup()

    def setup(self):
        self.optimizer = self.build_optimizer()
        self.loss_fn = nn.BCEWithLogitsLoss()

    def build_optimizer(self):
        if self.config["optimizer"] == "adam":
            return optim.Adam(self.model.parameters(), lr=self.config["lr"])
        return optim.SGD(self.model.parameters(), lr=self.config["lr"])

    def train_step(self, x, y):
        raise NotImplementedError

    def fit(self, x, y, steps):
        losses = []
        for step in range(steps):
            losses.append(self.train_step(x, y))
        return losses


class XorTrainer(BaseTrainer):
    def train_step(self, x, y):
        self.model.train()
        out = self.model(x)
        loss = self.loss_fn(out, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def accuracy(self, x, y):
        self.model.eval()
        with torch.no_grad():
            return ((self.model(x) > 0).float() == y).float().mean().item()


torch.manual_seed(1)
x = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
y = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
net = Net(4)
start(net)
trainer = XorTrainer(net, {"optimizer": "adam", "lr": 0.05})
print(trainer.fit(x, y, 20)[::5])
print(trainer.accuracy(x, y))
print(net.fc1.weight.sum().item(), net(x).sum().item())
