# also: nnx, linen
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train_step(model: nn.Module, batches, loss_fn: nn.Module, optimizer: torch.optim.Optimizer, device: torch.device):
    model.train()
    total = 0
    for x, y in batches:
        x, y = x.to(device), y.to(device)
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def predict(model: nn.Module, samples: list, device: torch.device = device):
    model.eval()
    with torch.inference_mode():
        return torch.stack([model(sample.unsqueeze(0).to(device)).squeeze().cpu() for sample in samples])


def shifted(x, device: torch.device = None):
    return x.to(device) + torch.ones(2, device=device)


def moved(x, device: torch.device):
    return x.to(device) * 2


model = nn.Linear(2, 2).to(device)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
batches = [(torch.arange(8.0).view(4, 2) / 8, torch.tensor([0, 1, 1, 0])), (torch.ones(4, 2), torch.tensor([1, 1, 0, 0]))]
optimizer = torch.optim.SGD(params=model.parameters(), lr=0.5)
for epoch in range(2):
    print(round(train_step(model, batches, nn.CrossEntropyLoss(), optimizer, device), 5))
print([[round(v, 4) for v in row] for row in predict(model, list(batches[0][0])).tolist()])
print(shifted(torch.zeros(2), device).tolist(), moved(torch.ones(2), torch.device("cpu")).tolist())
