"""What changes in a module and has no place in its state, or is seen by others under a second name."""

import torch
import torch.nn as nn
from torch import Tensor


class Shown(nn.Module):
    """Gives its own buffer away and changes it in place later."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        self.total += x.sum(0)
        return self.total


def case_two_results_are_one_tensor(x, y):
    model = Shown()
    a = model(x)
    b = model(y)  # T2J303
    return a, b


def case_one_result_at_a_time(x, y):
    model = Shown()
    a = model(x) * 2
    b = model(y)
    return a, b


def case_results_in_a_list(x, y):
    model = Shown()
    outs = []
    for item in (x, y):
        outs.append(model(item))  # T2J303
    return outs


def case_field_under_a_second_name(x, y):
    model = Shown()
    model(x)
    seen = model.total
    model(y)  # T2J303
    return seen, model.total


def case_copy_of_a_field(x, y):
    model = Shown()
    model(x)
    seen = model.total.clone()
    model(y)
    return seen, model.total


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Shown()

    def forward(self, x):
        first = self.inner(x)
        second = self.inner(x * 2)  # T2J303
        return first + second


def case_inside_of_a_module(x):
    return Around()(x)


class Careful(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Shown()

    def forward(self, x):
        first = self.inner(x) + 1
        second = self.inner(x * 2)
        return first + second


def case_careful(x):
    model = Careful()
    return model(x), model(x)


class Replaced(nn.Module):
    """Its field is another tensor after each call."""

    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)

    def forward(self, x):
        self.total = self.total + x.sum(0)
        return self.total


def case_new_tensors(x, y):
    model = Replaced()
    a = model(x)
    seen = model.total
    b = model(y)
    return a, b, seen, model.total


class Local(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def forward(self, x):
        before = self.total
        self.total.add_(x.sum(0))  # T2J301
        return before * 2


def case_local_name(x):
    return Local()(x)


class ReadBefore(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def step(self):
        self.count += 1
        return self.count

    def forward(self, x):
        return x * (self.count + 10 * self.step())  # T2J302, T2J606


def case_read_before_a_call_in_the_same_statement(x):
    return ReadBefore()(x)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        if self.fc is None:
            self.fc = nn.Linear(3, 3)  # T2J601
        return self.fc(x)


def case_layers(x):
    return Layers()(x)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "fast"

    def forward(self, x):
        return x if self.mode == "fast" else 2 * x

    def slow(self):
        self.mode = "slow"  # T2J606


def case_text(x):
    model = Named()
    model.slow()
    return model(x)


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []

    def forward(self, x):
        self.history.append(x.sum())  # T2J606
        return x


def case_history(x):
    model, other = Listed(), Listed()
    model(other(x))
    return model.history


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def forward(self, x, name: str):
        if name not in self.cache:
            self.cache[name] = x.sum()  # T2J606
        return self.cache[name]


def case_dictionary(x):
    return Keyed()(x, "a")


class Counted(nn.Module):
    calls = 0

    def forward(self, x):
        self.calls += 1  # T2J606
        return x


def case_default_of_the_class(x):
    model = Counted()
    model(x)
    return model.calls


class NoInit(nn.Module):  # T2J606
    def forward(self, x):
        self.last = x * 2
        return self.total()

    def total(self):
        return self.last.sum()


def case_without_init(x):
    return NoInit()(x)


class Asked(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        if not hasattr(self, "first"):  # T2J606
            self.first = x.sum()
        return x - self.first

    def forget(self):
        del self.first  # T2J606


def case_hasattr(x):
    return Asked()(x)


class Represented(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.count += 1
        return x

    def __len__(self):
        return self.count  # T2J606


def case_length(x):
    return len(Represented())


class Warm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        if self.steps < 3:
            return x * self.weight
        return x * self.weight * 2


def case_number_decides_in_a_step(x, y):
    model = Warm()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).sum()
        loss.backward()
        optimizer.step()
    return model.weight


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))

    def update(self, x):
        self.mean = 0.5 * self.mean + x.mean(0)  # T2J606

    def forward(self, x, frozen: Tensor):
        self.update(x)
        with torch.no_grad():
            self.update(frozen)
        return x - self.mean


def case_with_and_without_gradient(x, y):
    return Inner()(x, y)


def sweep(model: nn.ModuleList):
    for layer in model:
        layer.reset()
    return model


class Resettable(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))

    def reset(self):
        self.total.zero_()

    def forward(self, x):
        self.total += x.sum(0)
        return x + self.total


def case_parts_in_a_loop(x):
    model = nn.ModuleList([Resettable(), Resettable()])
    sweep(model)
    return model[0](x)


class Keeper:
    """Holds a model of its own, which others use, too."""

    def __init__(self, model: Resettable):
        self.model = model

    def observe(self, x):
        return self.model(x)


def case_one_model_in_two_hands(x, y):
    model = Resettable()
    keeper = Keeper(model)  # T2J303
    keeper.observe(x)
    return model(y)


class KeptAndChanged(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        h = x * 2
        self.last = h
        h += 1  # T2J303
        return h


def case_kept_and_changed(x):
    model = KeptAndChanged()
    return model(x), model.last


class KeptCopy(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        h = x * 2
        self.last = h.clone()
        h += 1
        return h


def case_kept_copy(x):
    model = KeptCopy()
    return model(x), model.last


def case_layers_on_their_own(x):
    norm = nn.BatchNorm1d(3)
    y = norm(x)
    return y, norm(y), norm.running_mean, norm.num_batches_tracked


def case_listed_layers(x):
    norms = nn.ModuleList([nn.BatchNorm1d(3), Resettable()])
    for norm in norms:
        x = norm(x)
    return x, norms[1].total


class Decayed(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        self.weight = nn.Parameter(self.weight * 0.9)  # T2J601
        return x * self.weight


def case_parameter(x):
    return Decayed()(x)
