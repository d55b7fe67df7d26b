"""Loops over the steps of a sequence, in modules that training steps run: they become scans where that is known to be right."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = 3
        self.cell = nn.GRUCell(4, 3)
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        h = torch.zeros(x.size(0), self.hidden)
        outs = []
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            outs.append(h)
        return self.fc(torch.stack(outs, dim=1))


def case_gru_cell(batch: torch.Tensor):
    model = Gru()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    nn.init.constant_(model.cell.weight_ih, 0.1)
    nn.init.constant_(model.cell.weight_hh, 0.1)
    nn.init.constant_(model.cell.bias_ih, 0.1)
    nn.init.constant_(model.cell.bias_hh, 0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 3)
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        h = torch.zeros(x.size(0), 3)
        c = torch.zeros(x.size(0), 3)
        outs = []
        # one step after the other
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t, :], (h, c))
            outs.append(h * 2)  # scaled
        outs = torch.stack(outs, dim=1)
        return self.fc(outs)


def case_lstm_cell(batch: torch.Tensor):
    model = Lstm()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    nn.init.constant_(model.cell.weight_ih, 0.1)
    nn.init.constant_(model.cell.weight_hh, 0.1)
    nn.init.constant_(model.cell.bias_ih, 0.1)
    nn.init.constant_(model.cell.bias_hh, 0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        hidden = 3
        self.hidden = hidden
        self.inside = nn.Linear(4, hidden)
        self.around = nn.Linear(hidden, hidden)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        b, n, _ = x.shape
        h = torch.zeros(b, self.hidden)
        for t in range(n):
            x_t = x[:, t]
            h = torch.tanh(self.inside(x_t) + self.around(h))
        return self.fc(h)


def case_own_cell(batch: torch.Tensor):
    model = Own()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    nn.init.constant_(model.inside.weight, 0.1)
    nn.init.constant_(model.around.weight, 0.1)
    nn.init.zeros_(model.inside.bias)
    nn.init.zeros_(model.around.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Cumulated(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        b, n, d = x.shape
        state = torch.zeros(b, d)
        states = []
        for x_t in x.unbind(1):
            state = 0.9 * state + 0.1 * x_t
            states.append(state)
        last = states[-1]
        return self.fc(torch.stack(states, 1)) + self.fc(last).unsqueeze(1)


def case_cumulated(batch: torch.Tensor):
    model = Cumulated()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        n, b, d = x.shape
        h = torch.zeros(b, d)
        for t in range(len(x)):
            h = self.mix(x[t] + h)
        return self.fc(h)


def case_first_axis(batch: torch.Tensor):
    model = First()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    nn.init.constant_(model.mix.weight, 0.1)
    nn.init.zeros_(model.mix.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.zeros(x.size(0), 4)
        for t in range(x.size(1)):
            h = h * 0.5 + x[:, t] * t
        return self.fc(h)


def case_counter_used_otherwise_stays(batch: torch.Tensor):
    model = Counting()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Growing(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        h = x[:, 0]
        for t in range(x.size(1)):
            h = torch.cat([h, x[:, t]], dim=1)
        return self.fc(h[:, :4])


def case_growing_state_stays(batch: torch.Tensor):
    model = Growing()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Dropping(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.zeros(x.size(0), 4)
        for t in range(x.size(1)):
            h = self.drop(h) * 0.5 + x[:, t]
        return self.fc(h)


def case_dropout_in_steps_stays(batch: torch.Tensor):
    model = Dropping()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Identity() for _ in range(2)])
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.fc(x)


def case_layers_stay(batch: torch.Tensor):
    model = Layers()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Independent(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        outs = []
        for t in range(x.size(1)):
            outs.append(self.fc(x[:, t]) * 2)
        return torch.stack(outs, 1)


def case_independent_steps_stay(batch: torch.Tensor):
    model = Independent()
    nn.init.constant_(model.fc.weight, 0.1)
    nn.init.zeros_(model.fc.bias)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    losses = []
    for step in range(4):
        optimizer.zero_grad()
        loss = (model(batch) - 0.5).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, model.fc.weight


class Plain(nn.Module):
    def forward(self, x):
        h = torch.zeros(x.size(0), 4)
        for t in range(x.size(1)):
            h = h * 0.5 + x[:, t]
        return h


def case_uncompiled_loop_stays(batch):
    return Plain()(batch)


def case_running_mean_stays(batch: torch.Tensor):
    means = []
    total = torch.zeros(2, 4)
    for t in range(batch.shape[1]):
        total = total + batch[:, t]
        means.append(total / (t + 1))
    return torch.stack(means, dim=1)
