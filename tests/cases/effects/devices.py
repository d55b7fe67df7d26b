"""`device = x.device` says only where tensors are to be: gone, so that nothing asks an array that is traced where it is."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        with torch.no_grad():
            self.linear.weight.fill_(0.25)
            self.linear.bias.fill_(0.5)

    def mask(self, n, device):
        return torch.ones(n, n, device=device).tril()

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, x, other=None):
        device = x.device
        steps = torch.arange(3, device=device) * x
        b, place = x.shape[0], x.device
        base = torch.zeros(b, 1, device=place)
        rows, columns, at = *x.shape, x.device
        scale = torch.full((rows, columns), 0.5).to(at)
        *front, here = *x.shape, x.device
        where = x.device if other is None else other.device
        shift = scale.new_ones(3, device=where).to(here, torch.float32)
        if device.type == "cuda":
            shift = shift * 2
        return self.linear(steps + base) * scale @ self.mask(3, x.device) + shift + front[0]


def case_module(x):
    return Net()(x)


def case_step(x):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def case_on_the_device_of_a_model(x: torch.Tensor):
    model = Net()
    device = next(model.parameters()).device
    other = next(iter(model.parameters())).device
    return model(x.to(device)), torch.ones(2, device=other), model.device == device


def case_used_otherwise(x):
    device = x.device
    places = [device]
    return torch.ones(3, device=device), len(places)


def on(x, device):
    return torch.zeros(2, device=device) + x.sum()


def case_given_to_a_function(x):
    device = x.device
    return on(x, device)


def case_bound_twice(x, flag):
    device = x.device
    if flag:
        device = torch.device("cpu")
    return torch.ones(3, device=device)


def case_only_statement(x, flag):
    if flag:
        device = x.device
    else:
        device = x.device
    return torch.ones(2, device=device)


def case_inner_function(x):
    device = x.device

    def make(n):
        return torch.ones(n, device=device)

    return make(2)


def asked_for_its_type(x):
    if x.device.type == "cuda":
        return x * 2
    return x


def case_asked_for_its_type(x):
    return asked_for_its_type(x)


def precise(x, level, tf32):
    torch.set_float32_matmul_precision("high")
    first = x @ x.T
    torch.set_float32_matmul_precision(level)
    torch.backends.cuda.matmul.allow_tf32 = tf32
    second = x @ x.T
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = True
    return first, second
