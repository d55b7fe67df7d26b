"""What an epoch is: it draws, and steps the scheduler that it was given."""

import torch.nn.functional as F
from base import BaseTrainer


class Trainer(BaseTrainer):
    def __init__(self, model, optimizer, path, data, lr_scheduler=None):
        super().__init__(model, optimizer, path)
        self.data = data
        self.lr_scheduler = lr_scheduler

    def _train_epoch(self, epoch):
        self.model.train()
        total = 0.0
        for x, y in self.data:
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        if self.lr_scheduler is not None:
            self.lr_scheduler.step()
        return total / len(self.data)
