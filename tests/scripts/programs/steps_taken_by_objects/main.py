import torch
import torch.nn as nn
from engine import train_one_epoch
from util.steps import StepTaker as Taker


def build():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))
    return model


loader = [(torch.linspace(-1, 1, 12).reshape(4, 3) * (1 + k), torch.tensor([0, 1, 1, 0])) for k in range(6)]
for max_norm, accum_iter in ((0.5, 2), (None, 3)):
    model = build()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    loss_scaler = Taker()
    for epoch in range(2):
        train_one_epoch(model, nn.CrossEntropyLoss(), loader, optimizer, epoch, max_norm, accum_iter, loss_scaler)
    print(sum(p.abs().sum().item() for p in model.parameters()))
