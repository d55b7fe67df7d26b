import torch


class Trainer:
    def __init__(self, model, optimizer, scheduler, loss_fn=None):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.loss_fn = loss_fn or torch.nn.MSELoss()

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            self.model.train()
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            print(f"epoch {epoch} loss {loss.item():.5f} lr {self.optimizer.param_groups[0]['lr']:.5f}")
