"""Optimizers that are asked for fields which none of torch's has: `hasattr(optimizer, "is_second_order")`."""

import torch
import torch.nn as nn


class Scaler:
    def __init__(self):
        self.scaler = torch.amp.GradScaler("cpu", enabled=False)

    def __call__(self, loss, optimizer, clip_grad=None, parameters=None, create_graph=False, update_grad=True):
        self.scaler.scale(loss).backward(create_graph=create_graph)
        if update_grad:
            self.scaler.unscale_(optimizer)
            norm = torch.nn.utils.clip_grad_norm_(parameters, clip_grad)
            self.scaler.step(optimizer)
            self.scaler.update()
        else:
            norm = None
        return norm


def train(model, optimizer, scaler, count):
    optimizer.zero_grad()
    for i in range(4):
        x = (torch.arange(12.0) * (i + 1)).sin().view(4, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean() / count
        is_second_order = hasattr(optimizer, "is_second_order") and optimizer.is_second_order
        norm = scaler(
            loss,
            optimizer,
            clip_grad=1.0,
            parameters=model.parameters(),
            create_graph=is_second_order,
            update_grad=(i + 1) % count == 0,
        )
        if (i + 1) % count == 0:
            optimizer.zero_grad()
        if norm is not None:
            print(f"{loss.item():.4f} {norm.item():.4f}")
        if hasattr(optimizer, "lookahead"):
            optimizer.lookahead.sync()
        elif not hasattr(optimizer, "sync_params") and hasattr(optimizer, "param_groups"):
            print(is_second_order, optimizer.param_groups[0]["lr"])


model = nn.Linear(3, 1)
nn.init.constant_(model.weight, 0.3)
nn.init.zeros_(model.bias)
train(model, torch.optim.AdamW(model.parameters(), lr=0.05), Scaler(), 2)
print(f"{model.weight.sum().item():.4f}")
