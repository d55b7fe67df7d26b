"""A trainer that accumulates gradients itself, with options for the accelerator that only the program knows."""

from contextlib import nullcontext
from functools import partial

import torch
from accelerate import Accelerator
from torch import nn
from torch.nn import Module
from torch.optim import Adam
from torch.utils.data import DataLoader, Dataset


def exists(v):
    return v is not None


def divisible_by(n, d):
    return (n % d) == 0


def cycle(dl):
    while True:
        yield from dl


class Points(Dataset):
    def __init__(self):
        self.x = torch.sin(torch.arange(48.0)).reshape(16, 3)

    def __len__(self):
        return 16

    def __getitem__(self, i):
        return self.x[i]


class AE(Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.SiLU(), nn.Linear(4, 3))

    def forward(self, x):
        return ((self.net(x) - x) ** 2).mean()


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


class Trainer:
    def __init__(
        self,
        model,
        *,
        num_train_steps,
        dataset,
        batch_size=4,
        grad_accum_every=2,
        learning_rate=1e-2,
        max_grad_norm=0.5,
        accelerate_kwargs: dict = {},
    ):
        self.accelerator = Accelerator(**accelerate_kwargs)
        self.num_train_steps = num_train_steps
        self.dl = DataLoader(dataset, batch_size=batch_size, drop_last=True)
        self.model = model
        self.optimizer = Adam(model.parameters(), lr=learning_rate)
        self.max_grad_norm = max_grad_norm
        self.grad_accum_every = grad_accum_every
        self.register_steps = 0
        self.model, self.optimizer, self.dl = self.accelerator.prepare(self.model, self.optimizer, self.dl)

    @property
    def is_main(self):
        return self.accelerator.is_main_process

    @property
    def device(self):
        return self.accelerator.device

    @property
    def unwrapped_model(self):
        return self.accelerator.unwrap_model(self.model)

    def print(self, msg):
        return self.accelerator.print(msg)

    def wait(self):
        return self.accelerator.wait_for_everyone()

    def save(self, path):
        if not self.accelerator.is_local_main_process:
            return
        pkg = {"model": self.accelerator.get_state_dict(self.model), "step": self.register_steps}
        torch.save(pkg, path)

    def forward(self):
        dl_iter = cycle(self.dl)
        self.model.train()
        for step in range(self.num_train_steps):
            total_loss = 0.0
            for ind in range(self.grad_accum_every):
                is_last = ind == (self.grad_accum_every - 1)
                maybe_no_sync = partial(self.accelerator.no_sync, self.model) if not is_last else nullcontext
                data = next(dl_iter)
                with self.accelerator.autocast(), maybe_no_sync():
                    loss = self.model(data)
                    loss = loss / self.grad_accum_every
                    self.accelerator.backward(loss)
                total_loss += loss.item()
            self.print(f"{step} {total_loss:.5f}")
            if exists(self.max_grad_norm):
                self.accelerator.clip_grad_norm_(self.model.parameters(), self.max_grad_norm)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.register_steps += 1
            self.wait()
        self.print("done")


model = AE()
fill(model)
trainer = Trainer(model, num_train_steps=5, dataset=Points(), accelerate_kwargs={"cpu": True})
trainer.forward()
