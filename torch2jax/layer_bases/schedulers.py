"""Schedulers of torch in plain Python, for programs that derive from them; read as text, and translated with the program."""


class LRScheduler:
    """Sets the learning rate of each group of an optimizer to what `get_lr` says."""

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            if last_epoch == -1 and "initial_lr" not in group:
                group["initial_lr"] = group["lr"]
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self.step()

    def step(self, epoch=None):
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        by_epoch = epoch is not None and hasattr(self, "_get_closed_form_lr")
        self._last_lr = list(self._get_closed_form_lr() if by_epoch else self.get_lr())
        for group, lr in zip(self.optimizer.param_groups, self._last_lr, strict=True):
            group["lr"] = lr

    def get_lr(self):
        raise NotImplementedError

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return dict(self.__dict__)

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)
