import torch
from ..utils import AverageMeter, accuracy


class Trainer:
    def __init__(self, model, criterion, optimizer, scheduler, loader, hooks=()):
        self.model, self.criterion = model, criterion
        self.optimizer, self.scheduler = optimizer, scheduler
        self.loader, self.hooks = loader, list(hooks)
        self.global_step, self.best = 0, 0.0

    def train_epoch(self, epoch):
        self.model.train()
        losses, top1 = AverageMeter("loss"), AverageMeter("acc")
        for x, y in self.loader:
            out = self.model(x)
            loss = self.criterion(out, y)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
            self.global_step += 1
            losses.update(loss.item(), x.size(0))
            top1.update(accuracy(out, y), x.size(0))
            for hook in self.hooks:
                hook.after_step(self, loss.item())
        return losses.avg, top1.avg

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        hits = total = 0
        for x, y in self.loader:
            hits += self.model(x).argmax(1).eq(y).sum().item()
            total += y.numel()
        return hits / total

    def fit(self, epochs):
        for epoch in range(epochs):
            loss, acc = self.train_epoch(epoch)
            val = self.evaluate()
            if val > self.best:
                self.best = val
                torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.global_step}, "best.pt")
            print(f"{epoch} {loss:.5f} {acc:.4f} {val:.4f} {self.scheduler.get_last_lr()[0]:.6f}")
