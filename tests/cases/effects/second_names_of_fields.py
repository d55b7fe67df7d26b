"""Tensors of a module that code outside of it knows by second names: by a variable, in a list, in a state dict."""

import copy

import torch
import torch.nn as nn
from torch import Tensor


class Counting(nn.Module):
    """Changes its buffer in place through a function and a view."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        def count(t):
            t.add_(1)

        count(self.total)
        self.total.view(-1)[0] += x.sum()
        return self.scale * x

    def shown(self) -> Tensor:
        return self.total


class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.register_buffer("shift", torch.ones(3))

    def forward(self, x: Tensor) -> Tensor:
        return self.scale * x + self.shift


def case_buffer_that_changes_from_outside(x):
    model = Fixed()
    shift = model.shift  # T2J303
    model.shift.mul_(2)
    return shift, model(x)


def case_buffer_read_again(x):
    model = Fixed()
    shift = model.shift * 1
    model.shift.mul_(2)
    shift = shift + model.shift
    return shift, model(x)


def case_buffer_with_another_value(x):
    model = Fixed()
    shift = model.shift
    model.shift = torch.zeros(3)
    return shift, model(x)


def case_parameter(x):
    model = Fixed()
    scale = model.scale  # T2J303
    with torch.no_grad():
        model.scale[0] = 2
    return scale * 1, model(x)


def case_parameter_no_longer_needed(x):
    model = Fixed()
    scale = model.scale
    y = model(x) * scale
    with torch.no_grad():
        model.scale[0] = 2
    return y, model(x)


def case_parameters_in_a_list(x):
    model = Fixed()
    kept = list(model.parameters())  # T2J303
    model.scale.data.mul_(3)
    return kept[0] * 1, model(x)


def case_initialised_anew(x):
    model = nn.Sequential(nn.Linear(3, 3))
    weight = model[0].weight  # T2J303
    nn.init.ones_(model[0].weight)
    return weight * 1


def case_loaded_anew(x):
    model = Fixed()
    shift = model.shift  # T2J303
    other = Fixed()
    other.shift.zero_()
    model.load_state_dict(other.state_dict())
    return shift, model(x)


def case_state_dict_of_a_model_that_is_called(x):
    model = Counting()
    before = model.state_dict()  # T2J303
    model(x)
    return before["total"], model.total


def case_copy_of_a_state_dict(x):
    model = Counting()
    before = copy.deepcopy(model.state_dict())
    model(x)
    after = model.total * 1
    model.load_state_dict(before)
    return after, model.total


def case_buffer_that_a_call_changes(x):
    model = Counting()
    total = model.total
    model(x)  # T2J303
    return total, model.total


def case_result_and_a_later_change(x):
    model = Counting()
    total = model.shown()
    model.total += 1  # T2J303
    return total


def case_statistics_of_a_layer(x: Tensor):
    layer = nn.BatchNorm1d(3)
    mean = layer.running_mean  # T2J303
    layer(x)
    return mean, layer.running_mean


class Keeping(nn.Module):
    """Keeps a part of what it is given, and changes that in place."""

    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        y, self.last = x * 2, x[0]  # T2J303
        return y

    def clear(self):
        self.last.zero_()


def case_argument_that_a_field_keeps(x):
    model = Keeping()
    rows = x.reshape(1, -1) * 1
    y = model(rows)
    model.clear()
    return rows, y


class Copying(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(3))

    def forward(self, x: Tensor) -> Tensor:
        y, self.last = x * 2, x[0].clone()
        return y

    def clear(self):
        self.last.zero_()


def case_copy_that_a_field_keeps(x):
    model = Copying()
    rows = x.reshape(1, -1) * 1
    y = model(rows)
    model.clear()
    return rows, y, model.last


def bump(t: Tensor) -> Tensor:
    return t.add_(1)


def case_field_as_the_argument_of_its_module(x):
    model = Counting()
    total = bump(model.total)
    return model(total)  # T2J303


class Trainer:
    """Keeps states of its model in some methods, and trains it in others."""

    def __init__(self):
        self.model = Fixed()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scale = self.model.scale  # T2J303
        self.best = None
        self.kept = None
        self.history = []

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def keep(self):
        self.best = self.model.state_dict()  # T2J303
        self.kept = copy.deepcopy(self.model.state_dict())
        self.history.append(self.model.shift)  # T2J303

    def restore(self):
        self.model.load_state_dict(self.kept if self.best is None else self.best)
        return self.history, self.scale


def case_states_kept_in_one_method_and_changed_in_another(x):
    trainer = Trainer()
    trainer.step(x)
    trainer.keep()
    trainer.step(x)
    trainer.restore()
    return trainer.model(x)


class CarefulTrainer:
    def __init__(self):
        self.model = Fixed()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.best = None

    def step(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def keep(self):
        self.best = copy.deepcopy(self.model.state_dict())

    def restore(self):
        self.model.load_state_dict(self.best)


def case_copies_kept_in_one_method(x):
    trainer = CarefulTrainer()
    losses = [trainer.step(x)]
    trainer.keep()
    losses.append(trainer.step(x))
    trainer.restore()
    losses.append(trainer.step(x))
    return losses, trainer.model(x)


def case_variable_around_a_step(x):
    model = Fixed()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    weights = []

    def step():
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()
        weights.append(model.scale)  # T2J303

    step()
    step()
    return weights
