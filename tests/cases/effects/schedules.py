"""Learning rate schedulers: each update takes the rate that torch's takes, however often and wherever the scheduler steps."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import CosineAnnealingLR, ExponentialLR, LinearLR, MultiStepLR, StepLR


def make():
    model = nn.Linear(3, 3)
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model


def train(model, optimizer, x, y):
    total = 0.0
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def case_behind_every_update(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = CosineAnnealingLR(optimizer, T_max=4, eta_min=0.01)
    losses = []
    for _ in range(9):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses, model.weight.detach()


def case_behind_every_epoch(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, weight_decay=0.01)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.3)
    losses, rates = [], []
    for _ in range(6):
        losses.append(train(model, optimizer, x, y))
        rates.append(scheduler.get_last_lr()[0])
        scheduler.step()
    return losses, rates, scheduler.get_last_lr(), model.weight.detach()


def case_now_and_then(x, y):
    model, rate = make(), 0.3
    optimizer = torch.optim.SGD(model.parameters(), rate)
    scheduler = MultiStepLR(optimizer, milestones=[1, 3], gamma=0.5)
    for epoch in range(7):
        train(model, optimizer, x, y)
        if epoch % 2 == 0:
            scheduler.step()
    return model.weight.detach()


def case_several_updates_for_one_step(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ExponentialLR(optimizer, 0.8)
    for i in range(6):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if i % 3 == 2:
            continue
        scheduler.step()
    return model.weight.detach()


def fit(model, optimizer, scheduler, x, y):
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
    return loss.item()


def case_handed_over(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = LinearLR(optimizer, start_factor=0.1, total_iters=6)
    return fit(model, optimizer, scheduler, x, y), fit(model, optimizer, scheduler, x, y), model.bias.detach()


def run(model, optimizer, x, y, scheduler=None):
    for _ in range(3):
        train(model, optimizer, x, y)
        if scheduler is not None:
            scheduler.step()


def case_perhaps_none(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ExponentialLR(optimizer, gamma=0.5)
    run(model, optimizer, x, y, scheduler)
    run(model, optimizer, x, y)
    return model.weight.detach()


class Trainer:
    def __init__(self, model, epochs):
        self.model = model
        self.epochs = epochs
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        self.scheduler = CosineAnnealingLR(self.optimizer, epochs)

    def epoch(self, x, y):
        for _ in range(2):
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    def fit(self, x, y):
        return [self.epoch(x, y) for _ in range(1)]


def case_in_an_object(x, y):
    trainer = Trainer(make(), 5)
    losses = []
    for _ in range(7):
        losses.append(trainer.epoch(x, y))
    return losses, trainer.model.weight.detach()


def case_two_optimizers(x, y):
    first, second = make(), make()
    slow = torch.optim.SGD(first.parameters(), lr=0.1)
    fast = torch.optim.SGD(second.parameters(), lr=0.2)
    slowed = StepLR(slow, 1, gamma=0.5)
    quickened = lr_scheduler.PolynomialLR(fast, total_iters=4)
    for _ in range(3):
        train(first, slow, x, y)
        train(second, fast, x, y)
        slowed.step()
        quickened.step()
    return first.weight.detach(), second.weight.detach()


def case_other_optimizers(x, y):
    found = []
    model = make()
    rms = torch.optim.RMSprop(model.parameters(), lr=0.01)
    restarts = lr_scheduler.CosineAnnealingWarmRestarts(rms, T_0=2, T_mult=2)
    for _ in range(7):
        found.append(train(model, rms, x, y))
        restarts.step()
    other = make()
    adamw = torch.optim.AdamW(other.parameters(), weight_decay=0.1)
    constant = lr_scheduler.ConstantLR(adamw, 0.5, 3)
    for _ in range(5):
        found.append(train(other, adamw, x, y))
        constant.step()
    return found


def case_before_the_update(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        scheduler.step()
        optimizer.step()
    return model.weight.detach()


def case_first_of_all(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    for _ in range(3):
        scheduler.step()
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return model.weight.detach()


def case_several_schedulers(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    first = StepLR(optimizer, 1, 0.5)
    second = ExponentialLR(optimizer, 0.9)
    train(model, optimizer, x, y)
    first.step()
    second.step()
    return model.weight.detach()


def case_in_a_list(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    schedulers = [scheduler]
    train(model, optimizer, x, y)
    for item in schedulers:
        item.step()
    return model.weight.detach()


def made(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    return optimizer, scheduler


def case_from_a_function(x, y):
    model = make()
    optimizer, scheduler = made(model)
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_bound_between(x, y):
    model, size = make(), 3
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    size = size - 2
    scheduler = StepLR(optimizer, size, 0.5)
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_one_of_two(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if x.shape[0] > 1:
        scheduler = StepLR(optimizer, 1, 0.5)
    else:
        scheduler = ExponentialLR(optimizer, 0.5)
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_with_an_epoch(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    train(model, optimizer, x, y)
    scheduler.step(3)
    return model.weight.detach()


def case_its_state(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    train(model, optimizer, x, y)
    return scheduler.state_dict()  # T2J203


def case_started_again(x, y):
    model = make()
    optimizer = torch.optim.SGD([{"params": model.parameters(), "initial_lr": 0.1}], lr=0.05)
    scheduler = StepLR(optimizer, 2, 0.5, last_epoch=2)
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_by_a_lambda(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.8**epoch)
    for _ in range(5):
        train(model, optimizer, x, y)
        scheduler.step()
    return model.weight.detach(), scheduler.get_last_lr()


def warmed_up(step):
    if step < 3:
        return (step + 1) / 3
    return max(0.1, 1 - step / 10)


def case_by_a_function(x, y):
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    scheduler = lr_scheduler.LambdaLR(optimizer, lr_lambda=warmed_up)
    rates = []
    for _ in range(12):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    return model.weight.detach(), rates


def case_by_several_functions(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = lr_scheduler.LambdaLR(optimizer, [warmed_up])  # T2J201
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_milestones_that_stand_twice(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = MultiStepLR(optimizer, [2, 2, 3], gamma=0.5)
    for _ in range(5):
        train(model, optimizer, x, y)
        scheduler.step()
    return model.weight.detach()


def fit_annotated(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    scheduler: lr_scheduler.LRScheduler,
    x: torch.Tensor,
    y: torch.Tensor,
) -> None:
    for _ in range(3):
        train(model, optimizer, x, y)
        scheduler.step()


def case_annotated(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = ExponentialLR(optimizer, 0.5)
    fit_annotated(model, optimizer, scheduler, x, y)
    return model.weight.detach()


def case_once_for_each_value(x, y):
    found = []
    for decay in (0.0, 0.1, 0.2):
        model = make()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.2, weight_decay=decay)
        scheduler = StepLR(optimizer, 1, gamma=1 - decay)
        for _ in range(3):
            train(model, optimizer, x, y)
            scheduler.step()
        found.append(model.weight.detach())
    return found


def case_kept_beyond_the_loop(x, y):
    model, optimizers = make(), []
    for decay in (0.0, 0.1, 0.2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.2, weight_decay=decay)
        scheduler = StepLR(optimizer, 1)  # T2J507
        optimizers.append(optimizer)
        scheduler.step()  # T2J203
    train(model, optimizers[0], x, y)  # T2J501
    return model.weight.detach()


def case_decay_bound_again(x, y):
    model, decay = make(), 0.1
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, weight_decay=decay)
    scheduler = StepLR(optimizer, 1)  # T2J507
    for _ in range(3):
        train(model, optimizer, x, y)
        scheduler.step()  # T2J203
        decay = 0.5
    return model.weight.detach()


def case_either_optimizer(x, y):
    first, second = make(), make()
    slow = torch.optim.SGD(first.parameters(), lr=0.1)
    fast = torch.optim.SGD(second.parameters(), lr=0.2)
    scheduler = StepLR(slow, 1, gamma=0.5)
    for model, optimizer in ((first, slow), (second, fast)):
        train(model, optimizer, x, y)
        scheduler.step()
    return first.weight.detach(), second.weight.detach()


def step_both(optimizer, scheduler):
    optimizer.step()
    scheduler.step()


def case_in_one_helper(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        step_both(optimizer, scheduler)
    return model.weight.detach()


def case_logged(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    rates = []
    for epoch in range(3):
        train(model, optimizer, x, y)
        scheduler.step()
        rates.append(f"{epoch}: {scheduler.get_last_lr()[0]:.4f}")
    return rates


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(self.layer(x))


def case_a_model_with_state(x, y):
    model = Plain()
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    scheduler = ExponentialLR(optimizer, gamma=0.7)
    for i in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        if i > 0:
            scheduler.step()
    return model.layer.weight.detach(), model.norm.running_mean


def fit_any(model, optimizer, scheduler, x, y):
    rates = []
    for _ in range(3):
        train(model, optimizer, x, y)
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    return rates


def case_one_after_the_other(x, y):
    model = make()
    slow = torch.optim.SGD(model.parameters(), lr=0.1)
    slowed = StepLR(slow, 1, gamma=0.5)
    first = fit_any(model, slow, slowed, x, y)
    fast = torch.optim.Adam(model.parameters(), lr=0.02)
    quickened = ExponentialLR(fast, 0.9)
    return first, fit_any(model, fast, quickened, x, y), model.weight.detach()


def fit_mixed(model, optimizer, scheduler, x, y):
    for _ in range(3):
        train(model, optimizer, x, y)
        scheduler.step()


def case_counted_and_iterated(x, y):
    model = make()
    slow = torch.optim.SGD(model.parameters(), lr=0.1)
    slowed = StepLR(slow, 1, gamma=0.5)
    fit_mixed(model, slow, slowed, x, y)
    fast = torch.optim.Adam(model.parameters(), lr=0.02)
    quickened = lr_scheduler.LambdaLR(fast, warmed_up)
    fit_mixed(model, fast, quickened, x, y)
    return model.weight.detach()


def decayed(optimizer, epoch):
    rate = 0.2 * 0.5**epoch
    for group in optimizer.param_groups:
        group["lr"] = rate


def case_set_by_hand(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(4):
        decayed(optimizer, epoch)
        train(model, optimizer, x, y)
    return model.weight.detach(), optimizer.param_groups[0]["lr"]


def case_set_in_the_loop(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    found = []
    for step in range(6):
        for group in optimizer.param_groups:
            group["lr"] = min(1.0, (step + 1) / 3) * 0.1
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if step == 3:
            optimizer.param_groups[0]["lr"] *= 0.1
        if step > 3:
            optimizer.param_groups[0]["lr"] = optimizer.param_groups[0]["lr"] / 2
        found.append(f"{optimizer.param_groups[0]['lr']:.5f}")
    return model.weight.detach(), found


def case_read_only(x, y):
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.25, weight_decay=0.1)
    train(model, optimizer, x, y)
    return model.weight.detach(), optimizer.param_groups[0]["lr"]


def case_read_beside_a_scheduler(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    rates = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        rates.append(optimizer.param_groups[0]["lr"])
    return model.weight.detach(), rates


def case_set_beside_a_scheduler(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, gamma=0.5)
    train(model, optimizer, x, y)
    scheduler.step()
    optimizer.param_groups[0]["lr"] = 0.3
    return model.weight.detach()


def case_set_before_the_update(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.param_groups[0]["lr"] = 0.3
    optimizer.step()
    return model.weight.detach()


def case_other_options(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    for group in optimizer.param_groups:
        group["lr"] = 0.3
        group["momentum"] = 0.9
    train(model, optimizer, x, y)
    return model.weight.detach()


def case_two_with_one_helper(x, y):
    first, second = make(), make()
    slow = torch.optim.SGD(first.parameters(), lr=0.1)
    fast = torch.optim.Adam(second.parameters(), lr=0.3)
    for epoch in range(3):
        train(first, slow, x, y)
        train(second, fast, x, y)
        decayed(slow, epoch)
        decayed(fast, epoch + 1)
    return first.weight.detach(), second.weight.detach()


def slowed_down(optimizer, factor):
    for group in optimizer.param_groups:
        group["lr"] *= factor


def case_on_a_plateau(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.9, momentum=0.5)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5)
    rates = []
    for epoch in range(8):
        total = train(model, optimizer, x, y)
        scheduler.step(total if epoch < 6 else F.mse_loss(model(x), y))
        rates.append(optimizer.param_groups[0]["lr"])
    return rates, model.weight.detach()


def case_on_a_plateau_without_a_metric(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.9)
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer)  # T2J507
    total = train(model, optimizer, x, y)
    scheduler.step(total, 1)  # T2J203
    return model.weight.detach()


def case_one_cycle(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.5, epochs=3, steps_per_epoch=len(x), cycle_momentum=False)
    for _ in range(5):
        train(model, optimizer, x, y)
        scheduler.step()
    return model.weight.detach()


def case_one_cycle_of_the_momentum(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = lr_scheduler.OneCycleLR(optimizer, 0.5, total_steps=10)
    for _ in range(5):
        train(model, optimizer, x, y)
        scheduler.step()
    return model.weight.detach()


def warming(steps):
    return lambda step: min(1.0, (step + 1) / steps)


def case_by_what_a_function_returns(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = lr_scheduler.LambdaLR(optimizer, warming(3))
    for _ in range(5):
        train(model, optimizer, x, y)
        scheduler.step()
    return model.weight.detach()


def fit_with(model, optimizer, scheduler, x, y):
    for _ in range(3):
        train(model, optimizer, x, y)
        scheduler.step()  # T2J203
    return model.weight.detach()


def case_a_scheduler_of_another_optimizer(x, y):
    first, second = make(), make()
    left = torch.optim.SGD(first.parameters(), lr=0.5)
    right = torch.optim.SGD(second.parameters(), lr=0.5)
    scheduler = ExponentialLR(right, 0.1)  # T2J507
    return fit_with(first, left, scheduler, x, y), fit_with(second, right, scheduler, x, y)


def made_by_a_function(model, momentum):
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=momentum)


def case_set_for_an_optimizer_from_a_function(x, y):
    model = make()
    optimizer = made_by_a_function(model, 0.9)
    for epoch in range(3):
        decayed(optimizer, epoch)
        train(model, optimizer, x, y)
    return model.weight.detach()


def case_a_loss_of_the_rate(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y) * scheduler.get_last_lr()[0]  # T2J203
        loss.backward()
        optimizer.step()
        scheduler.step()  # T2J203
    return model.weight.detach()


def chosen(name, optimizer, epochs):
    if name == "linear":
        return LinearLR(optimizer, start_factor=0.1, total_iters=epochs)
    elif name == "step":
        scheduler = StepLR(optimizer, 1, 0.5)
    else:
        scheduler = lr_scheduler.LambdaLR(optimizer, lambda epoch: (epoch + 1) / epochs)
    return scheduler


def any_optimizer(name, model):
    if name == "sgd":
        return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    return torch.optim.Adam(model.parameters(), lr=0.05)


def case_chosen_by_name(x, y):
    losses = []
    for name in ("linear", "step", "lambda"):
        for kind in ("sgd", "adam"):
            model = make()
            optimizer = any_optimizer(kind, model)
            scheduler = chosen(name, optimizer, 3)
            for _ in range(4):
                losses.append(train(model, optimizer, x, y))
                scheduler.step()
            losses.append(optimizer.param_groups[0]["lr"])
    return losses


def case_a_metric_or_not(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if x.shape[0] > 1:
        scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=0)
    else:
        scheduler = StepLR(optimizer, 1, 0.5)
    for _ in range(3):
        loss = train(model, optimizer, x, y)
        if isinstance(loss, float):
            scheduler.step(loss)
        else:
            scheduler.step()
    return model.weight.detach(), scheduler.get_last_lr()[0]


class Runner:
    def __init__(self, model, optimizer, scheduler=None):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler

    def fit(self, x, y):
        losses = []
        for _ in range(4):
            losses.append(train(self.model, self.optimizer, x, y))
            if self.scheduler is not None:
                self.scheduler.step()
        return losses


def case_given_to_an_object(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = MultiStepLR(optimizer, [1, 2], 0.5)
    return Runner(model, optimizer, scheduler).fit(x, y)


def case_with_its_own_optimizer_or_another(x, y):
    first, second = make(), make()
    left = torch.optim.SGD(first.parameters(), lr=0.5)
    right = torch.optim.SGD(second.parameters(), lr=0.25)
    falling = StepLR(left, 1, 0.5)  # T2J507
    rising = ExponentialLR(right, 2.0)  # T2J507
    fit_paired(first, left, falling, x, y)
    fit_paired(second, right, rising, x, y)
    return fit_paired(first, left, rising, x, y)


def fit_paired(model, optimizer, scheduler, x, y):
    for _ in range(2):
        train(model, optimizer, x, y)
        scheduler.step()  # T2J203
    return model.weight.detach()


def case_one_and_then_another(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, 1, 0.5)
    train(model, optimizer, x, y)
    scheduler.step()
    scheduler = ExponentialLR(optimizer, 0.5)
    train(model, optimizer, x, y)
    scheduler.step()
    return model.weight.detach()


def case_anew_in_each_round(x, y):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        scheduler = StepLR(optimizer, 1, 0.5)  # T2J507
        train(model, optimizer, x, y)
        scheduler.step()  # T2J203
    return model.weight.detach()
