"""Buffers that forward and other methods of a module change: running statistics, codebooks, averages, amounts seen."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


class RunningMean(nn.Module):
    """Subtracts a running mean."""

    def __init__(self, size: int, momentum: float = 0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(size))
        self.register_buffer("num_batches", torch.tensor(0))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            with torch.no_grad():
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * x.mean(0)
                self.num_batches += 1
        return x - self.running_mean

    def reset(self):
        self.running_mean.zero_()
        self.num_batches.fill_(0)


def case_running_mean(x: Tensor, y: Tensor):
    model = RunningMean(3)
    a = model(x)
    b = model(y)
    model.eval()
    c = model(x)
    return a, b, c, model.running_mean.clone(), model.num_batches.clone()


def case_reset(x: Tensor):
    model = RunningMean(3)
    a = model(x)
    model.reset()
    model.eval()
    return a, model(x), model.num_batches


class InPlace(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("var", torch.ones(size))

    def forward(self, x):
        if self.training:
            self.mean.mul_(0.9).add_(x.mean(dim=0), alpha=0.1)
            self.var.lerp_(x.var(dim=0), 0.1)
        return (x - self.mean) / torch.sqrt(self.var + 1e-5)


def case_in_place(x, y):
    model = InPlace(3)
    first = model(x)
    second = model(y)
    return first, second, model.mean, model.var


class Copied(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("center", torch.zeros(1, 3))

    @torch.no_grad()
    def update_center(self, teacher):
        batch_center = torch.sum(teacher, dim=0, keepdim=True) / len(teacher)
        self.center = self.center * 0.9 + batch_center * 0.1

    def forward(self, student, teacher):
        target = F.softmax((teacher - self.center) / 0.04, dim=-1).detach()
        loss = torch.sum(-target * F.log_softmax(student, dim=-1), dim=-1).mean()
        self.update_center(teacher)
        return loss


def case_dino_center(x, y):
    criterion = Copied()
    a = criterion(x, y)
    b = criterion(y, x)
    return a, b, criterion.center


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = RunningMean(3)
        self.scale = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x):
        return self.norm(x) * self.scale


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Nested()
        self.layers = nn.ModuleList([Nested() for _ in range(2)])
        self.last = nn.Sequential(RunningMean(3), nn.ReLU())

    def forward(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return self.last(x)


def case_nested(x, y):
    model = Outer()
    a = model(x)
    b = model(y)
    model.eval()
    return a, b, model(x), model.first.norm.running_mean, model.layers[1].norm.num_batches


class Bare(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(3)

    def forward(self, x):
        self.total = self.total + x.sum(0)
        return self.total / 2


def case_plain_tensor(x, y):
    model = Bare()
    return model(x), model(y), model.total


class Base(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("seen", torch.zeros(size))

    def note(self, x):
        self.seen += x.abs().sum(0)


class Derived(Base):
    def __init__(self, size):
        super().__init__(size)
        self.gain = 3.0

    def forward(self, x):
        self.note(x)
        return x * self.gain / self.seen


def case_inherited(x, y):
    model = Derived(3)
    return model(x), model(y), model.seen


class DerivedWrites(Base):
    def forward(self, x):
        self.seen = torch.maximum(self.seen, x.amax(0))
        return x + self.seen


def case_only_the_heir_writes(x, y):
    model = DerivedWrites(3)
    return model(x), model(y), model.seen


class Codebook(nn.Module):
    """Vector quantization with moving averages."""

    def __init__(self, num_codes, dim, decay=0.8):
        super().__init__()
        self.decay = decay
        self.register_buffer("embed", torch.arange(float(num_codes * dim)).reshape(num_codes, dim) / 10)
        self.register_buffer("cluster_size", torch.ones(num_codes))
        self.register_buffer("embed_avg", self.embed.clone())

    def forward(self, x):
        x = x.reshape(-1, self.embed.shape[1])
        distances = (x[:, None] - self.embed[None]).pow(2).sum(-1)
        codes = distances.argmin(-1)
        quantized = self.embed[codes]
        if self.training:
            onehot = F.one_hot(codes, self.embed.shape[0]).type(x.dtype)
            self.cluster_size.data.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
            self.embed_avg.data.mul_(self.decay).add_(onehot.t() @ x, alpha=1 - self.decay)
            n = self.cluster_size.sum()
            sizes = (self.cluster_size + 1e-5) / (n + len(self.cluster_size) * 1e-5) * n
            self.embed.data.copy_(self.embed_avg / sizes.unsqueeze(1))
        return x + (quantized - x).detach(), codes


def case_codebook(x, y):
    model = Codebook(4, 3)
    a, codes = model(x)
    b, others = model(y)
    return a, codes, b, others, model.embed, model.cluster_size


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("usage", torch.zeros(5, dtype=torch.long))

    def forward(self, tokens: Tensor):
        self.usage.index_add_(0, tokens.flatten(), torch.ones_like(tokens.flatten()))
        self.usage[0] = 0
        self.usage[1:3] += 1
        return self.usage[tokens]


def case_usage(tokens: Tensor):
    model = Masked()
    a = model(tokens)
    b = model(tokens)
    return a, b, model.usage


def evaluate(model: RunningMean, x: Tensor):
    model.eval()
    out = model(x)
    return out + model.running_mean


def case_read_by_a_function(x, y):
    model = RunningMean(3)
    model(x)
    return evaluate(model, y), model.running_mean


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("low", torch.zeros(3))
        self.register_buffer("high", torch.zeros(3))

    def forward(self, x):
        self.low, self.high = torch.minimum(self.low, x.amin(0)), torch.maximum(self.high, x.amax(0))
        return (x - self.low) / (self.high - self.low)

    def span(self):
        return self.high - self.low

    @property
    def middle(self):
        return (self.high + self.low) / 2


def case_pair(x, y):
    model = Pair()
    return model(x), model(y), model.span()


class TwoCalls(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = RunningMean(3)

    def forward(self, x):
        return self.norm(self.norm(x)) + self.norm.running_mean


def case_called_twice(x):
    model = TwoCalls()
    return model(x), model.norm.num_batches


def case_training(x, y):
    model = Outer()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.first.scale, model.first.norm.running_mean, model.last[0].num_batches


class Balanced(nn.Module):
    """Keeps an auxiliary loss for the training loop."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.aux_loss = torch.tensor(0.0)

    def forward(self, x):
        gates = F.softmax(x * self.weight, dim=-1)
        self.aux_loss = gates.mean(0).pow(2).sum()
        return gates


def case_auxiliary_loss(x, y):
    model = Balanced()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for _ in range(2):
        optimizer.zero_grad()
        out = model(x)
        loss = F.mse_loss(out, y) + 0.1 * model.aux_loss
        loss.backward()
        optimizer.step()
    return model.weight, model.aux_loss


def train_one_epoch(model: Outer, optimizer: torch.optim.Optimizer, batches: list[Tensor]):
    model.train()
    total = 0.0
    for x in batches:
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def case_training_function(x, y):
    model = Outer()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total = train_one_epoch(model, optimizer, [x, y])
    model.eval()
    with torch.no_grad():
        out = model(x)
    return total, out, model.first.norm.num_batches
