"""Compiled steps see the variables and objects around them as they are, also where those change between two steps."""

import torch
import torch.nn as nn
import torch.nn.functional as F

SCALE = 1.0
WEIGHTS = [1.0, 1.0]
HAS_FEATURE = False
try:
    import math

    HAS_FEATURE = math.pi > 3
except ImportError:
    HAS_FEATURE = False


def make():
    model = nn.Linear(3, 3)
    for p in model.parameters():
        p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def scaled_step(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y) * SCALE
    loss.backward()
    optimizer.step()
    return loss.item()


def case_global_variable(x, y):
    global SCALE
    model, optimizer = make()
    losses = []
    for factor in (1.0, 3.0, 0.5):
        SCALE = factor
        losses.append(scaled_step(model, optimizer, x, y))
    return losses


def criterion(output, y):
    return F.mse_loss(output, y) * SCALE


def case_global_variable_of_a_helper(x, y):
    global SCALE
    model, optimizer = make()
    losses = []
    for factor in (1.0, 3.0, 0.5):
        SCALE = factor
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def weighted_step(model, optimizer, x, y):
    optimizer.zero_grad()
    output = model(x)
    loss = WEIGHTS[0] * F.mse_loss(output, y) + WEIGHTS[1] * output.pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def case_global_list(x, y):
    model, optimizer = make()
    losses = []
    for _ in range(3):
        losses.append(weighted_step(model, optimizer, x, y))
        WEIGHTS[1] = WEIGHTS[1] * 0.5
    WEIGHTS[1] = 1.0
    return losses


class Annealing:
    def __init__(self):
        self.beta = 0.0

    def advance(self):
        self.beta = min(1.0, self.beta + 0.4)


def annealed_step(model, optimizer, annealing, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y) + annealing.beta * model.weight.pow(2).sum()
    loss.backward()
    optimizer.step()
    return loss.item()


def case_field_of_an_object(x, y):
    model, optimizer = make()
    annealing = Annealing()
    losses = []
    for _ in range(4):
        losses.append(annealed_step(model, optimizer, annealing, x, y))
        annealing.advance()
    return losses


class Settings:
    scale = 1.0


def case_field_of_a_class(x, y):
    model, optimizer = make()
    Settings.scale = 1.0
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y) * Settings.scale
        loss.backward()
        optimizer.step()
        Settings.scale = Settings.scale + 1.0
        losses.append(loss.item())
    return losses


def case_variable_of_a_closure(x, y):
    model, optimizer = make()
    scale = 1.0

    def loss_of(output):
        return F.mse_loss(output, y) * scale

    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = loss_of(model(x))
        loss.backward()
        optimizer.step()
        scale = scale + 1.0
        losses.append(loss.item())
    return losses


def featured(output, y):
    return F.mse_loss(output, y) * (2.0 if HAS_FEATURE else 1.0)


def case_flag_of_the_module(x, y):
    model, optimizer = make()
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = featured(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def case_trained_teacher(x, y):
    teacher, teaching = make()
    model, optimizer = make()

    def distill(output):
        with torch.no_grad():
            target = teacher(x * 2)
        return F.mse_loss(output, target)

    losses = []
    for _ in range(3):
        teaching.zero_grad()
        first = F.mse_loss(teacher(x), y)
        first.backward()
        teaching.step()
        optimizer.zero_grad()
        loss = distill(model(x))
        loss.backward()
        optimizer.step()
        losses.append((first.item(), loss.item()))
    return losses


def case_trained_model_of_a_closure(x, y):
    model, optimizer = make()

    def penalty():
        return 0.1 * model.weight.pow(2).sum()

    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y) + penalty()
        loss.backward()
        optimizer.step()
    return model.weight.detach()


def case_two_loops_with_one_step(x, y):
    model, optimizer = make()
    losses = []
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def threshold_count(model, x, threshold):
    model.eval()
    total = 0
    with torch.no_grad():
        for _ in range(2):
            total += (model(x) > threshold * SCALE).sum().item()
    return total


def case_evaluation(x, y):
    global SCALE
    model, _ = make()
    found = []
    for SCALE in (0.0, 0.3, 1.0):
        found.append(threshold_count(model, x, 1.0))
    return found


class Tempered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.temperature = 1.0

    def forward(self, x):
        return self.layer(x) / self.temperature


def case_field_of_a_module_from_outside(x, y):
    model = Tempered()
    model.temperature *= 0.5  # T2J601
    return model(x)


BANK = torch.zeros(3)


def distance(output):
    return (output - BANK).pow(2).mean()


def case_global_tensor_in_place(x, y):
    model, optimizer = make()
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        output = model(x)
        loss = distance(output)
        loss.backward()
        optimizer.step()
        BANK.mul_(0.5).add_(output.detach().mean(dim=0), alpha=0.5)
        losses.append(loss.item())
    BANK.zero_()
    return losses
