# also: nnx, linen
"""The one group of an optimizer of what is not frozen; it changes in a trainer."""

import io
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


class Net(nn.Module):
    def __init__(self, freeze):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        if freeze:
            for p in self.body.parameters():
                p.requires_grad = False

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def make(freeze):
    model = Net(freeze)
    model.load_state_dict(
        {k: torch.linspace(-0.5, 0.6, v.numel()).reshape(v.shape) for k, v in model.state_dict().items()}
    )
    return model


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.AdamW(
            filter(lambda p: p.requires_grad, self.model.parameters()), lr=lr, weight_decay=0.1
        )
        self.base = lr

    def set_lr(self, step):
        for group in self.optimizer.param_groups:
            scale = group["lr_scale"] if "lr_scale" in group else 1.0
            group["lr"] = self.base * scale / (step + 1)
            if group["weight_decay"] > 0 and step == 3:
                group["weight_decay"] = 0.0

    def fit(self, n):
        for step in range(n):
            self.set_lr(step)
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.3)
            self.optimizer.step()
            print(
                step, loss.item(), self.optimizer.param_groups[0]["lr"], self.optimizer.param_groups[0]["weight_decay"]
            )


for freeze in (True, False):
    model = make(freeze)
    trainer = Trainer(model, 0.2)
    trainer.fit(5)
    for k, v in trainer.model.state_dict().items():
        print(k, v.sum().item())
