"""Contexts of mixed precision of which only the run says whether they round: off, or for the device that there is."""

from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.amp import autocast


class Trainer:
    def __init__(self, model, device, use_amp=False, dtype=torch.bfloat16):
        self.model, self.device = model, device
        self.context = torch.autocast(device_type=device.type, dtype=dtype, enabled=use_amp)
        self.scaler = torch.amp.GradScaler(device.type, enabled=use_amp)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)

    def step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        with self.context:
            loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


@torch.no_grad()
def evaluate(model, data, device, amp):
    model.eval()
    total = 0
    # where the device has mixed precision
    with torch.autocast(device.type if device.type != "mps" else "cpu", enabled=amp):
        for x, y in data:
            x = x.to(device=device, dtype=torch.float32)
            total += (model(x) - y).abs().mean()
    model.train()
    return total / len(data)


def train(model, data, device_type, dtype_name, amp):
    dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16}[dtype_name]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for x, y in data:
        with autocast(device_type=device_type, dtype=dtype):  # switches itself off for float32
            loss = (model(x) - y).square().mean()
        with autocast("cpu", enabled=amp), torch.no_grad():
            total = model(x).sum().item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append((loss.item(), total))
    return losses


class Line(nn.Module):
    def __init__(self):
        super().__init__()
        self.slope = nn.Parameter(torch.tensor([0.5, -0.25]))

    def forward(self, x):
        return x * self.slope


def main(amp=False):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = [(torch.arange(6.0).reshape(3, 2) * scale, torch.full((3, 2), scale)) for scale in (0.5, 1.0)]
    trainer = Trainer(Line(), device)
    try:
        print([trainer.step(x, y) for x, y in data])
    except torch.cuda.OutOfMemoryError:
        print("no memory left")
        torch.cuda.empty_cache()
    model = Line()
    print(evaluate(model, data, device, amp).item())
    print(train(model, data, device.type, "float32", amp))
    kind = "cuda" if "cuda" in str(device) else "cpu"
    context = nullcontext() if kind == "cpu" else autocast(kind, dtype=torch.float16)
    with context:
        print(model(data[0][0]).tolist(), device.type, f"on {device.type}")
    try:
        raise ValueError("x")
    except (torch.OutOfMemoryError, ValueError) as error:
        print("caught", error)


main()
