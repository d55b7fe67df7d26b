"""A trainer with an accelerator: schedules make a step for each process, whole batches go to one after another."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, data, steps=2):
        self.accelerator = Accelerator(gradient_accumulation_steps=steps)
        self.steps = steps
        self.model = model
        self.loader = DataLoader(data, batch_size=2)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda step: 1.0 / (1 + step))
        self.model, self.optimizer, self.loader, self.scheduler = self.accelerator.prepare(
            self.model, self.optimizer, self.loader, self.scheduler
        )

    def train(self, epochs):
        accelerator = self.accelerator
        for epoch in range(epochs):
            for inputs, targets in self.loader:
                with accelerator.accumulate(self.model):
                    loss = nn.functional.mse_loss(self.model(inputs), targets)
                    accelerator.backward(loss)
                    if accelerator.sync_gradients:
                        accelerator.clip_grad_norm_(self.model.parameters(), 0.5)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
                accelerator.print(f"{epoch} {loss.item():.5f}")
            mean = accelerator.reduce(loss, reduction="mean")
            accelerator.wait_for_everyone()
            if accelerator.is_main_process:
                print(f"{mean.item():.5f} {len(self.loader)} {accelerator.num_processes}")


def main():
    model = nn.Sequential(nn.Linear(3, 6), nn.GELU(), nn.Linear(6, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    x = torch.sin(torch.arange(57.0)).reshape(19, 3)
    trainer = Trainer(model, TensorDataset(x, x[:, :2].cos()))
    trainer.train(2)
    if trainer.accelerator.is_main_process:
        for name, p in trainer.accelerator.unwrap_model(trainer.model).named_parameters():
            print(name, round(p.sum().item(), 4))


if __name__ == "__main__":
    main()
