"""Sets a rate before each step."""


class Scheduled:
    def __init__(self, optimizer, base, warmup):
        self._optimizer = optimizer
        self.base = base
        self.warmup = warmup
        self.count = 0

    def step_and_update_lr(self):
        self._update_learning_rate()
        self._optimizer.step()

    def zero_grad(self):
        self._optimizer.zero_grad()

    def _update_learning_rate(self):
        self.count += 1
        rate = self.base * min(1.0, self.count / self.warmup)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
