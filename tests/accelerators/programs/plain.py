"""A training program that runs on one process with an accelerator."""

import torch
import torch.nn as nn
from accelerate import Accelerator


class Trainer:
    def __init__(self, model, amp=False):
        self.accelerator = Accelerator(split_batches=True, mixed_precision="fp16" if amp else "no")
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=0.05)
        self.model, self.opt = self.accelerator.prepare(self.model, self.opt)

    def train(self, data):
        accelerator = self.accelerator
        device = accelerator.device
        for x, y in data:
            x, y = x.to(device), y.to(device)
            with self.accelerator.autocast():
                loss = nn.functional.mse_loss(self.model(x), y)
            self.accelerator.backward(loss)
            accelerator.wait_for_everyone()
            accelerator.clip_grad_norm_(self.model.parameters(), 0.5)
            self.opt.step()
            self.opt.zero_grad()
            if accelerator.is_main_process:
                accelerator.print("loss", loss.item())


def evaluate(accelerator: Accelerator, model, data):
    total = 0.0
    with torch.no_grad():
        for x, y in data:
            total += accelerator.gather((model(x) - y).abs().mean()).item()
    accelerator.print("error", total, accelerator.num_processes, accelerator.process_index)


def filled(model):
    with torch.no_grad():
        model.weight.copy_(torch.linspace(-0.3, 0.4, 3).reshape(1, 3))
        model.bias.fill_(0.1)
    return model


def main():
    data = [(torch.arange(6.0).reshape(2, 3) * scale, torch.full((2, 1), scale)) for scale in (0.5, 1.0, 1.5)]
    trainer = Trainer(filled(nn.Linear(3, 1)))
    trainer.train(data)
    accelerator = Accelerator(mixed_precision="no")
    net = filled(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    model, optimizer, scheduler = accelerator.prepare(net, optimizer, scheduler)
    for _ in range(2):
        for x, y in data:
            with accelerator.accumulate(model):
                optimizer.zero_grad()
                loss = (model(x) - y).square().mean()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 0.5)
                optimizer.step()
                scheduler.step()
            print(loss.item())
    evaluate(accelerator, accelerator.unwrap_model(model), data)


main()
