import torch


class Trainer:
    def __init__(self, model, optimizer, loss_fn, eval_fns=None):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = loss_fn
        self.eval_fns = [] if eval_fns is None else eval_fns

    def train_iteration(self, num_steps):
        logs = dict()
        self.model.train()
        for _ in range(num_steps):
            logs["loss"] = self.train_step()
        self.model.eval()
        for eval_fn in self.eval_fns:
            outputs = eval_fn(self.model)
            for k, v in outputs.items():
                logs[f"evaluation/{k}"] = v
        return logs

    def train_step(self):
        loss = self.loss_fn(self.model(torch.ones(4, 3)))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach().cpu().item()
