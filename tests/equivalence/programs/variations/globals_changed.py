# expect: equal
"""Model, optimizer and counters are module-level variables that functions change."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

LR = 0.1
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
inputs = torch.randn(30, 4)
targets = torch.randint(0, 3, (30,))
global_step = 0
best = float("inf")


def train(steps):
    global global_step, best
    model.train()
    for _ in range(steps):
        optimizer.zero_grad()
        output = model(inputs)
        loss = F.cross_entropy(output, targets)
        loss.backward()
        optimizer.step()
        global_step += 1
        best = min(best, loss.item())
        print(global_step, loss.item())


def test():
    model.eval()
    with torch.no_grad():
        return (model(inputs).argmax(dim=1) == targets).float().mean().item()


for round in range(3):
    train(4)
    print(f"round {round}: accuracy {test():.3f}, best {best:.4f}")
