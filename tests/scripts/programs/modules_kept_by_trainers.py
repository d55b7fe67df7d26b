import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def configure_optimizers(self, config):
        decay = [p for n, p in self.named_parameters() if p.dim() >= 2]
        rest = [p for n, p in self.named_parameters() if p.dim() < 2]
        groups = [{"params": decay, "weight_decay": config["wd"]}, {"params": rest, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=config["lr"])

    def forward(self, x, y=None):
        logits = self.fc(x)
        loss = None
        if y is not None:
            loss = nn.functional.cross_entropy(logits, y)
        return logits, loss


class Trainer:
    def __init__(self, config, model, data):
        self.config = config
        self.model = model
        self.device = torch.device("cpu")
        self.model = self.model.to(self.device)
        self.optimizer = None
        self.data = data
        self.seen = 0

    def run(self):
        model, config = self.model, self.config
        self.optimizer = model.configure_optimizers(config)
        loader = DataLoader(self.data, batch_size=4)
        model.train()
        self.iter_num = 0
        data_iter = iter(loader)
        while True:
            try:
                batch = next(data_iter)
            except StopIteration:
                data_iter = iter(loader)
                batch = next(data_iter)
            x, y = batch
            logits, self.loss = model(x, y)
            model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config["clip"])
            self.optimizer.step()
            print(self.iter_num, f"{self.loss.item():.4f}")
            self.iter_num += 1
            if config["max"] is not None and self.iter_num >= config["max"]:
                break


if __name__ == "__main__":
    net = Net()
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape))
    x = torch.linspace(-1, 1, 48).view(12, 4)
    y = torch.arange(12) % 3
    trainer = Trainer({"lr": 0.05, "wd": 0.1, "clip": 0.5, "max": 5}, net, TensorDataset(x, y))

    def report(trainer, split):
        net.eval()
        with torch.no_grad():
            print(split, f"{net(x)[0].sum().item():.4f}", trainer.iter_num)
        net.train()

    def plain():
        return net(x)[0].mean().item()

    trainer.run()
    report(trainer, "train")
    print(f"{plain():.4f}")
    with torch.no_grad():
        print(f"{net(x)[0].sum().item():.4f}")
