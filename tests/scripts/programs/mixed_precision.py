"""Mixed precision as training programs ask for it on GPUs, and as torch leaves it out without one."""

from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.amp import GradScaler
from torch.cuda.amp import autocast


@torch.autocast("cuda", enabled=False)
def phases(x):
    return torch.cat([x.sin(), x.cos()], dim=-1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    @autocast(enabled=False)
    def forward(self, x):
        return self.fc(phases(x))


def train_epoch(model, data, optimizer, scaler, use_amp):
    losses = []
    for x, y in data:
        optimizer.zero_grad()
        with autocast(enabled=use_amp):
            loss = nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


def evaluate(model, data, device_type):
    context = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type, dtype=torch.bfloat16)
    total = 0.0
    with torch.no_grad(), context:
        for x, y in data:
            total += (model(x) - y).abs().mean().item()
    return total


def main():
    torch.manual_seed(0)
    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
    model = Net().to(device)
    with torch.no_grad():
        model.fc.weight.copy_(torch.linspace(-0.3, 0.4, 6).reshape(1, 6))
        model.fc.bias.fill_(0.1)
    data = [(torch.arange(6.0).reshape(2, 3) * scale, torch.full((2, 1), scale)) for scale in (0.5, 1.0, 1.5)]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    scaler = GradScaler("cuda", enabled=True)
    for _ in range(3):
        print(train_epoch(model, data, optimizer, scaler, use_amp=True), torch.is_autocast_enabled())
    print(scaler.get_scale(), scaler.is_enabled(), scaler.state_dict())
    print(evaluate(model, data, "cpu"))
    scripted = torch.jit.script(nn.Tanh())
    print(scripted(torch.tensor([0.0, 1.0])).tolist())


main()
