import math
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


class Criterion(nn.Module):
    def __init__(self, num_classes, matcher, weight_dict, losses):
        super().__init__()
        self.matcher = matcher
        self.weight_dict = weight_dict
        self.losses = losses
        self.register_buffer("empty_weight", torch.ones(num_classes))
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, outputs, targets):
        self.seen = self.seen + 1
        losses = {"loss_ce": F.cross_entropy(outputs["logits"], targets["labels"], self.empty_weight)}
        losses["loss_bbox"] = F.l1_loss(outputs["boxes"], targets["boxes"]) * self.matcher
        return losses


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.cls = nn.Linear(8, 3)
        self.box = nn.Linear(8, 4)

    def forward(self, x):
        h = self.body(x).relu()
        return {"logits": self.cls(h), "boxes": self.box(h).sigmoid()}


def train(model, criterion, data_loader, optimizer, max_norm=0):
    model.train()
    criterion.train()
    for samples, targets in data_loader:
        outputs = model(samples)
        loss_dict = criterion(outputs, targets)
        weight_dict = criterion.weight_dict
        losses = sum(loss_dict[k] * weight_dict[k] for k in loss_dict.keys() if k in weight_dict)
        scaled = {k: v * weight_dict[k] for k, v in loss_dict.items() if k in weight_dict}
        loss_value = sum(scaled.values()).item()
        if not math.isfinite(loss_value):
            print(loss_value)
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        if max_norm > 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        print(round(loss_value, 4), criterion.seen.item())


def main():
    model = Net()
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.2)
    criterion = Criterion(3, 1.0, {"loss_ce": 1.0, "loss_bbox": 5.0}, ["labels", "boxes"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=1e-4)
    x = torch.sin(torch.arange(24, dtype=torch.float32)).reshape(3, 2, 4)
    loader = [(x[i], {"labels": torch.tensor([i, 2 - i]), "boxes": x[i].abs()}) for i in range(3)]
    for epoch in range(3):
        train(model, criterion, loader, optimizer, 0.1)


main()
