# also: nnx
"""Several schedulers of one optimizer, and rates that the program sets beside one."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + k).reshape(p.shape) * 0.4)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.backbone = nn.Linear(4, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.norm(self.backbone(x))))


def batches(n=6):
    for i in range(n):
        x = torch.cos(torch.arange(20, dtype=torch.float32) * 0.3 + i).reshape(5, 4)
        y = torch.arange(5) % 3
        yield x, y


def train(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def new():
    model = Net()
    fill(model)
    return model


def warmup_of_the_first_epoch():
    model = new()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
    for epoch in range(4):
        for x, y in batches(3):
            loss = train(model, optimizer, x, y)
            if epoch == 0:
                warmup.step()
        scheduler.step()
        print(epoch, loss, scheduler.get_last_lr(), optimizer.param_groups[0]["lr"])


def warmup_by_hand():
    model = new()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.8)
    for step, (x, y) in enumerate(batches(8)):
        if step < 3:
            for group in optimizer.param_groups:
                group["lr"] = 0.05 * (step + 1) / 3
        loss = train(model, optimizer, x, y)
        if step >= 3:
            scheduler.step()
        print(step, loss, optimizer.param_groups[0]["lr"])


def cut_in_the_middle():
    model = new()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)
    for step, (x, y) in enumerate(batches(8)):
        loss = train(model, optimizer, x, y)
        scheduler.step()
        if step == 3:
            optimizer.param_groups[0]["lr"] *= 0.5
        print(step, loss, optimizer.param_groups[0]["lr"], scheduler.get_last_lr()[0])


warmup_of_the_first_epoch()
warmup_by_hand()
cut_in_the_middle()
