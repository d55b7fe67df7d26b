"""Metrics of what is gathered, with a schedule that steps for each batch."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 8)
        self.fc2 = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


def get_dataloaders(accelerator: Accelerator, batch_size: int = 4):
    x = torch.sin(torch.arange(54.0)).reshape(18, 3)
    y = torch.arange(18) % 4
    with accelerator.main_process_first():
        data = TensorDataset(x, y)
    return DataLoader(data, batch_size=batch_size), DataLoader(data, batch_size=batch_size, shuffle=False)


def training_function(config):
    accelerator = Accelerator(cpu=True)
    lr, epochs = config["lr"], config["num_epochs"]
    set_seed(int(config["seed"]))
    train_loader, eval_loader = get_dataloaders(accelerator, config["batch_size"])
    model = Net()
    fill(model)
    model = model.to(accelerator.device)
    optimizer = torch.optim.AdamW(params=model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(
        optimizer=optimizer, max_lr=lr, epochs=epochs, steps_per_epoch=len(train_loader)
    )
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )
    for epoch in range(epochs):
        model.train()
        for step, batch in enumerate(train_loader):
            inputs, targets = batch
            outputs = model(inputs)
            loss = F.cross_entropy(outputs, targets)
            accelerator.backward(loss)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        model.eval()
        accurate, num_elems = 0, 0
        for _, (inputs, targets) in enumerate(eval_loader):
            with torch.no_grad():
                outputs = model(inputs)
            predictions = outputs.argmax(dim=-1)
            predictions, references = accelerator.gather_for_metrics((predictions, targets))
            accurate_preds = predictions == references
            num_elems += accurate_preds.shape[0]
            accurate += accurate_preds.long().sum()
        eval_metric = accurate.item() / num_elems
        accelerator.print(f"epoch {epoch}: {100 * eval_metric:.2f} {loss.item():.5f}")
    accelerator.wait_for_everyone()
    unwrapped_model = accelerator.unwrap_model(model)
    accelerator.save(unwrapped_model.state_dict(), "model.pt")
    accelerator.end_training()


def main():
    config = {"lr": 3e-2, "num_epochs": 3, "seed": 42, "batch_size": 4}
    training_function(config)


if __name__ == "__main__":
    main()
