# also: nnx
"""Layers that are wrapped where they stand: what is frozen in them stays so, by whatever name, and what is new is trained."""

import math
import torch
from torch import nn


class LoRALayer(nn.Module):
    def __init__(self, in_dim, out_dim, rank, alpha):
        super().__init__()
        self.A = nn.Parameter(torch.empty(in_dim, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.B = nn.Parameter(torch.zeros(rank, out_dim))
        self.alpha = alpha
        self.rank = rank

    def forward(self, x):
        return (self.alpha / self.rank) * (x @ self.A @ self.B)


class LinearWithLoRA(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.lora = LoRALayer(linear.in_features, linear.out_features, rank, alpha)

    def forward(self, x):
        return self.linear(x) + self.lora(x)


def replace_linear_with_lora(model, rank, alpha):
    for name, module in model.named_children():
        if isinstance(module, nn.Linear):
            setattr(model, name, LinearWithLoRA(module, rank, alpha))
        else:
            replace_linear_with_lora(module, rank, alpha)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d)
        self.act = nn.ReLU()
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return x + self.act(self.fc(self.norm(x)))


class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(d) for _ in range(2)])
        self.head = nn.Linear(d, 2)

    def forward(self, x):
        return self.head(self.blocks(x))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) * 0.5)


def trained(model):
    return [name for name, p in model.named_parameters() if p.requires_grad]


def fine_tune(model, steps):
    x = torch.linspace(-1, 1, 12).view(3, 4)
    y = torch.tensor([0, 1, 0])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(step, f"{loss.item():.4f}")


def prepared():
    model = Net(4)
    fill(model)
    for param in model.parameters():
        param.requires_grad = False
    return model


whole = prepared()
print("frozen", trained(whole))
replace_linear_with_lora(whole, rank=2, alpha=4)
fill(whole)
print("whole", trained(whole), sum(p.numel() for p in whole.parameters() if p.requires_grad))
fine_tune(whole, 3)
print(f"{whole.head.linear.bias.sum().item():.4f} {whole.head.lora.B.abs().sum().item():.4f}")

body = Net(4)
fill(body)
for param in body.parameters():
    param.requires_grad = False
replace_linear_with_lora(body.blocks, rank=2, alpha=4)
fill(body)
print("body", trained(body))
fine_tune(body, 2)

head = Net(4)
fill(head)
for param in head.parameters():
    param.requires_grad = False
head.head = LinearWithLoRA(head.head, 2, 4)
fill(head)
print("head", trained(head))
fine_tune(head, 2)

new = Net(4)
fill(new)
for param in new.parameters():
    param.requires_grad = False
new.head = nn.Linear(4, 2)
fill(new)
print("new", trained(new))
fine_tune(new, 2)
