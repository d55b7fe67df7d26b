"""Schedulers of torch in plain Python, for programs that derive from them, and those that do more than one rate of one optimizer
needs; read as text, and translated with the program."""

import math


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
        self._is_initial = True
        self.step()
        self._is_initial = False

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
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


class StepLR(LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        falls = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return [group["lr"] * (self.gamma if falls else 1) for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = list(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = self.gamma ** self.milestones.count(self.last_epoch) if self.last_epoch > 0 else 1
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        passed = sum(milestone <= self.last_epoch for milestone in self.milestones)
        return [base * self.gamma**passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = 1 if self._is_initial else self.gamma
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class LambdaLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        return {name: value for name, value in super().state_dict().items() if name != "lr_lambdas"}

    def get_lr(self):
        return [base * factor(self.last_epoch) for base, factor in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class CosineAnnealingLR(LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def height(self, count):
        return (1 + math.cos(math.pi * count / self.T_max)) / 2

    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self._is_initial:
            return rates
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return [rate + (base - self.eta_min) * rise for rate, base in zip(rates, self.base_lrs, strict=True)]
        factor = self.height(self.last_epoch) / self.height(self.last_epoch - 1)
        return [self.eta_min + factor * (rate - self.eta_min) for rate in rates]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * self.height(self.last_epoch) for base in self.base_lrs]


class LinearLR(LRScheduler):
    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def height(self, count):
        done = min(count, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done

    def get_lr(self):
        before = self.height(self.last_epoch - 1) if self.last_epoch > 0 else 1
        factor = 1 if self._is_initial and self.last_epoch > 0 else self.height(self.last_epoch) / before
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        return [base * self.height(self.last_epoch) for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self._is_initial or self.last_epoch > self.total_iters:
            return [group["lr"] for group in self.optimizer.param_groups]
        left = (1 - self.last_epoch / self.total_iters) / (1 - (self.last_epoch - 1) / self.total_iters)
        return [group["lr"] * left**self.power for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        left = 1 - min(self.last_epoch, self.total_iters) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class OneCycleLR(LRScheduler):
    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        steps = epochs * steps_per_epoch if total_steps is None else total_steps
        top, last = pct_start * steps - 1, steps - 1
        self.ends, self.places = ([top, last], [0, 1, 2]) if not three_phase else ([top, 2 * top, last], [0, 1, 0, 2])
        self.anneal_strategy, self.cycle_momentum = anneal_strategy, cycle_momentum
        rates = list(max_lr) if isinstance(max_lr, (list, tuple)) else [max_lr] * len(optimizer.param_groups)
        self.rates = [[rate / div_factor, rate, rate / div_factor / final_div_factor] for rate in rates]
        self.momenta = [max_momentum, base_momentum, max_momentum]
        for group, values in zip(optimizer.param_groups, self.rates, strict=True):
            group["initial_lr"] = values[0]
        super().__init__(optimizer, last_epoch)

    def between(self, values):
        """What lies between the values of two corners, at the present count of steps."""
        number = sum(self.last_epoch > end for end in self.ends[:-1])
        start = self.ends[number - 1] if number else 0
        done = (self.last_epoch - start) / (self.ends[number] - start)
        first, last = values[self.places[number]], values[self.places[number + 1]]
        if self.anneal_strategy == "linear":
            return first + (last - first) * done
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2

    def set_momentum(self, momentum):
        for group in self.optimizer.param_groups:
            if "betas" in group:
                group["betas"] = (momentum, group["betas"][1])
            else:
                group["momentum"] = momentum

    def get_lr(self):
        if self.cycle_momentum:
            self.set_momentum(self.between(self.momenta))
        return [self.between(values) for values in self.rates]


class CyclicLR(LRScheduler):
    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        cycle_momentum=True,
        base_momentum=0.8,
        max_momentum=0.9,
        last_epoch=-1,
    ):
        self.up, self.down = step_size_up, step_size_up if step_size_down is None else step_size_down
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        self.cycle_momentum, self.base_momentum, self.max_momentum = cycle_momentum, base_momentum, max_momentum
        number = len(optimizer.param_groups)
        self.lows = list(base_lr) if isinstance(base_lr, (list, tuple)) else [base_lr] * number
        self.tops = list(max_lr) if isinstance(max_lr, (list, tuple)) else [max_lr] * number
        for group, low in zip(optimizer.param_groups, self.lows, strict=True):
            group["initial_lr"] = low
        super().__init__(optimizer, last_epoch)

    def height(self):
        cycle, place = divmod(self.last_epoch, self.up + self.down)
        height = place / self.up if place <= self.up else 1 - (place - self.up) / self.down
        if self.scale_fn is not None:
            return height * self.scale_fn(cycle + 1 if self.scale_mode == "cycle" else self.last_epoch)
        return (
            height * {"triangular": 1, "triangular2": 0.5**cycle, "exp_range": self.gamma**self.last_epoch}[self.mode]
        )

    def set_momentum(self, momentum):
        for group in self.optimizer.param_groups:
            if "betas" in group:
                group["betas"] = (momentum, group["betas"][1])
            else:
                group["momentum"] = momentum

    def state_dict(self):
        return {name: value for name, value in super().state_dict().items() if name != "scale_fn"}

    def get_lr(self):
        if self.cycle_momentum:
            self.set_momentum(self.max_momentum - (self.max_momentum - self.base_momentum) * self.height())
        return [low + (top - low) * self.height() for low, top in zip(self.lows, self.tops, strict=True)]


class ConstantLR(LRScheduler):
    def __init__(self, optimizer, factor=1 / 3, total_iters=5, last_epoch=-1):
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        change = self.factor if self.last_epoch == 0 else 1 / self.factor if self.last_epoch == self.total_iters else 1
        return [group["lr"] * change for group in self.optimizer.param_groups]

    def _get_closed_form_lr(self):
        factor = 1 if self.last_epoch >= self.total_iters else self.factor
        return [base * factor for base in self.base_lrs]


class MultiplicativeLR(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas = list(lr_lambda) if several else [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        return {name: value for name, value in super().state_dict().items() if name != "lr_lambdas"}

    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self._is_initial:
            return rates
        return [rate * factor(self.last_epoch) for rate, factor in zip(rates, self.lr_lambdas, strict=True)]


class CosineAnnealingWarmRestarts(LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        count, length = self.last_epoch, self.T_0
        while count >= length:
            count, length = count - length, length * self.T_mult
        height = (1 + math.cos(math.pi * count / length)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]


class ReduceLROnPlateau:
    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        self.optimizer = optimizer
        self.mode, self.factor, self.patience, self.cooldown, self.eps = mode, factor, patience, cooldown, eps
        self.threshold, self.threshold_mode = threshold, threshold_mode
        several = isinstance(min_lr, (list, tuple))
        self.min_lrs = list(min_lr) if several else [min_lr] * len(optimizer.param_groups)
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def is_better(self, value):
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            return sign * value > sign * self.best * (1 + sign * self.threshold)
        return sign * value > sign * self.best + self.threshold

    def step(self, metrics, epoch=None):
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(value):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            for group, lowest in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                rate = max(group["lr"] * self.factor, lowest)
                if group["lr"] - rate > self.eps:
                    group["lr"] = rate
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self):
        return self._last_lr

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)
