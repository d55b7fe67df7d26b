"""What compiled code does besides computing: checks, printing, numbers that leave the device, clocks, lists and logs."""

import logging
import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

logger = logging.getLogger(__name__)
seen = []
MEAN = torch.tensor([0.1, 0.2, 0.3])
SCALE = 0.5
count = 0


class Asserting(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        assert (h.abs() < 100).all(), "too large"
        assert x.shape[1] == 3
        return h.sum(dim=1)


def case_assertion(x: torch.Tensor, y: torch.Tensor):
    model = Asserting()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Raising(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        if not torch.isfinite(h).all():
            raise ValueError(f"not finite: {h}")
        return h.sum(dim=1)


def case_raise_if_not_finite(x: torch.Tensor, y: torch.Tensor):
    model = Raising()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Shaped(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        if x.dim() != 2:
            raise ValueError("a matrix is needed")
        return self.fc(x).sum(dim=1)


def case_raise_on_shape_stays(x: torch.Tensor, y: torch.Tensor):
    model = Shaped()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Nan(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x).sum(dim=1)


def case_nan_loss_raises(x: torch.Tensor, y: torch.Tensor):
    model = Nan()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        if torch.isnan(loss):
            raise RuntimeError(f"loss is {loss}")
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Printing(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        print("norm", h.norm())
        print(f"mean {h.mean():.3f} of {x.shape[0]} rows")
        print("done")
        return h.sum(dim=1)


def case_prints_inside(x: torch.Tensor, y: torch.Tensor):
    model = Printing()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Quiet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x).sum(dim=1)


def case_prints_outside(x: torch.Tensor, y: torch.Tensor):
    model = Quiet()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        print(step, loss.item())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x).sum(dim=1)


def case_list_of_losses(x: torch.Tensor, y: torch.Tensor):
    model = Listed()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        parts = []
        for k in range(2):
            parts.append(F.mse_loss(model(x), y.sum(dim=1)) * (k + 1))
        loss = torch.stack(parts).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        outs = []
        for i in range(3):
            x = torch.tanh(self.fc(x))
            outs.append(x)
        return torch.stack(outs).sum(dim=(0, 2))


def case_list_of_outputs(x: torch.Tensor, y: torch.Tensor):
    model = Outputs()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Logging(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        logger.debug("mean %s", h.mean())
        return h.sum(dim=1)


def case_logs_stay_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Logging()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Timed(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        begin = time.perf_counter()
        h = self.fc(x)
        took = time.perf_counter() - begin
        if took > 1000:
            h = h * 0
        return h.sum(dim=1)


def case_clock_stays_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Timed()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Remembering(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        seen.append(h.detach().sum())
        return h.sum(dim=1)


def case_list_outside_stays_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Remembering()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    seen.clear()
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight, len(seen)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        return h[h > 0.07].sum() + h.sum(dim=1)


def case_mask_stays_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Masked()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Halfway(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        top = float(h.detach().abs().max())
        return h.sum(dim=1) / (1.0 + math.sqrt(top))


def case_numpy_stays_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Halfway()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Numbered(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        top = h.abs().max().item()
        return h.sum(dim=1) / (1.0 + top)


def case_number_from_item(x: torch.Tensor, y: torch.Tensor):
    model = Numbered()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Chancy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x)
        if random.random() < 2:
            h = h * 2
        return h.sum(dim=1)


def case_python_random_stays_uncompiled(x: torch.Tensor, y: torch.Tensor):
    model = Chancy()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y.sum(dim=1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


@torch.compile(backend="eager")
def gelu(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))


def case_scripted(x: torch.Tensor):
    return gelu(x)


@torch.compile(backend="eager")
def normalized(x: torch.Tensor):
    return (x - MEAN) * SCALE


def case_compiled_reads_constants(x: torch.Tensor):
    return normalized(x)


@torch.compile(backend="eager", fullgraph=True)
def powers(x: torch.Tensor, n: int, how: str = "sum"):
    total = torch.zeros_like(x)
    for i in range(n):
        total = total + x**i
    return total.sum() if how == "sum" else total.mean()


def case_compiled_with_static_arguments(x: torch.Tensor):
    return powers(x, 2), powers(x, 3, "mean"), powers(x, n=2)


@torch.compile(backend="eager")
def counted(x: torch.Tensor):
    global count
    count += 1
    return x * count


def case_counting_stays_uncompiled(x: torch.Tensor):
    return counted(x) + counted(x)


@torch.compile(backend="eager")
def limited(x: torch.Tensor, top: float):
    # no longer than allowed
    if x.norm() > top:
        return x * (top / x.norm())
    return x


def case_compiled_branch(x: torch.Tensor, y: torch.Tensor):
    return limited(x, 1.0), limited(y, 100.0)


@torch.compile(backend="eager")
def positive(x: torch.Tensor):
    return x[x > 0].sum()


def case_mask_in_compiled_function(x: torch.Tensor):
    return positive(x)


@torch.compile(backend="eager")
def pair(x: torch.Tensor, parts: dict):
    a, b = parts["a"], parts["b"]
    return {"sum": a + b + x, "top": (a - b).max()}


def case_compiled_dictionary(x: torch.Tensor, y: torch.Tensor):
    found = pair(x, {"a": x, "b": y})
    return found["sum"], found["top"]


def case_compiled_inside(x: torch.Tensor):
    model = nn.Linear(3, 3)
    nn.init.ones_(model.weight)
    nn.init.zeros_(model.bias)

    @torch.compile(backend="eager")
    def run(x):
        return model(x)

    first = run(x)
    with torch.no_grad():
        model.weight.mul_(2)
    return first, run(x)
