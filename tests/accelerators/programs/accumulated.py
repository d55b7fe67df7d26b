"""Gradients that the accelerator accumulates, over as many passes as the command line says."""

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    args = parser.parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
    fill(model)
    x = torch.sin(torch.arange(54.0)).reshape(18, 3)
    loader = DataLoader(TensorDataset(x, x[:, :2].cos()), batch_size=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0 / (1 + step))
    model, optimizer, loader, lr_scheduler = accelerator.prepare(model, optimizer, loader, lr_scheduler)
    global_step = 0
    for epoch in range(3):
        model.train()
        train_loss = 0.0
        for step, (inputs, targets) in enumerate(loader):
            with accelerator.accumulate(model):
                loss = nn.functional.mse_loss(model(inputs), targets)
                avg_loss = accelerator.gather(loss.repeat(4)).mean()
                train_loss += avg_loss.item() / args.gradient_accumulation_steps
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                global_step += 1
                accelerator.log({"train_loss": train_loss}, step=global_step)
                print(global_step, round(train_loss, 5), lr_scheduler.get_last_lr()[0])
                train_loss = 0.0
    if accelerator.is_main_process:
        print(sum(p.abs().sum().item() for p in accelerator.unwrap_model(model).parameters()))


if __name__ == "__main__":
    main()
