# also: nnx, linen
import torch
from torch import nn
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 8)
        self.mu = nn.Linear(8, 2)
        self.lv = nn.Linear(8, 2)
        self.dec = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 12), nn.Sigmoid())
        self.drop = nn.Dropout(0.0)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.mu(h), self.lv(h)

    def reparameterize(self, mu, lv):
        if self.training:
            std = torch.exp(0.5 * lv)
            return mu + 0 * torch.randn_like(std) * std
        return mu

    def forward(self, x):
        mu, lv = self.encode(x)
        z = self.reparameterize(mu, lv)
        return self.dec(self.drop(z)), mu, lv


def loss_function(recon, x, mu, lv):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    return bce - 0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())


def train(model, optimizer, data):
    model.train()
    for x in data:
        optimizer.zero_grad()
        recon, mu, lv = model(x)
        loss = loss_function(recon, x, mu, lv)
        loss.backward()
        optimizer.step()
        print(loss.item())


torch.manual_seed(1)
model = VAE()
state = {k: torch.cos(torch.arange(v.numel()).float()).view(v.shape) * 0.3 for k, v in model.state_dict().items()}
model.load_state_dict(state)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
data = [torch.sigmoid(torch.arange(36).float().view(3, 12) - 18 + i) for i in range(3)]
train(model, optimizer, data)
model.eval()
mu, lv = model.encode(data[0])
print(mu.sum().item(), model.dec(mu).sum().item(), model.training)
