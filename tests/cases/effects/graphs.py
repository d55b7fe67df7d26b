"""Values that are computed before a training step: constants in it, unless they come from what it trains."""

from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def head_step(head, optimizer, features, target):
    optimizer.zero_grad()
    loss = F.mse_loss(head(features), target)
    loss.backward()
    optimizer.step()
    return loss


def case_features_of_another_model(x, y):
    body, head = nn.Sequential(nn.Linear(3, 4)), nn.Linear(4, 3)
    nn.init.ones_(body[0].weight)
    nn.init.zeros_(body[0].bias)
    nn.init.ones_(head.weight)
    nn.init.zeros_(head.bias)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for _ in range(3):
        loss = head_step(head, optimizer, torch.tanh(body(x)), y)
    return loss.detach(), head.weight.detach()


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 4)
        self.outer = nn.Linear(4, 3)
        nn.init.constant_(self.inner.weight, 0.1)
        nn.init.constant_(self.outer.weight, 0.2)
        nn.init.zeros_(self.inner.bias)
        nn.init.zeros_(self.outer.bias)
        self.penalty = torch.zeros(())

    def encode(self, x):
        return torch.tanh(self.inner(x))

    def forward(self, x):
        h = self.encode(x)
        self.penalty = h.pow(2).mean()
        return self.outer(h)


def outer_step(model, optimizer, features, y):
    optimizer.zero_grad()  # T2J500
    loss = F.mse_loss(model.outer(features), y)
    loss.backward()  # T2J500
    optimizer.step()  # T2J500
    return loss.item()


def case_features_of_a_part(x, y):
    model = Body()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = outer_step(model, optimizer, model.encode(x), y)
    return loss, model.inner.weight.detach()


def constant_step(model, optimizer, features, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model.outer(features), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def case_detached_features(x, y):
    model = Body()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = constant_step(model, optimizer, model.encode(x).detach(), y)
    with torch.no_grad():
        features = model.encode(x)
    loss = constant_step(model, optimizer, features, y)
    return loss, model.inner.weight.detach(), model.outer.weight.detach()


def follow(student, optimizer, x, target):
    loss = F.mse_loss(student(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def case_teacher_of_the_same_class(x):
    teacher, student = Body(), Body()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for _ in range(3):
        loss = follow(student, optimizer, x, teacher(x) + 1)
    return loss, student.inner.weight.detach()


def case_penalty_of_the_forward_pass(x, y):
    model = Body()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y) + 0.5 * model.penalty
        loss.backward()
        optimizer.step()
    return loss.detach(), model.inner.weight.detach()


def case_parts_gathered_in_the_step(x, y):
    model = Body()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        parts = deque()
        for row, wanted in zip(x, y):
            parts.append(F.mse_loss(model.outer(model.encode(row)), wanted))
        loss = torch.stack(list(parts)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach(), model.inner.weight.detach()


policy = nn.Linear(3, 2)
with torch.no_grad():
    policy.weight.copy_(torch.arange(6.0).view(2, 3) / 10)
    policy.bias.fill_(0.1)
updater = torch.optim.SGD(policy.parameters(), lr=0.1)
gathered = []


def act(x):
    scores = F.log_softmax(policy(x), dim=-1)
    gathered.append(scores.max())
    return scores.argmax()


def case_list_of_the_module(x):
    for row in x:
        act(row)
    loss = -torch.stack(gathered).sum() + 0.1 * policy.weight.pow(2).sum()
    updater.zero_grad()
    loss.backward()
    updater.step()
    gathered.clear()
    return policy.weight.detach()


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(3, 2)
        self.log_probs = []

    def forward(self, x):
        return F.log_softmax(self.score(x), dim=-1)


def choose(agent, x):
    scores = agent(x)
    agent.log_probs.append(scores[0])
    return scores.argmax()


def case_list_of_a_model(x):
    agent = Policy()
    optimizer = torch.optim.SGD(agent.parameters(), lr=0.1)
    for row in x:
        choose(agent, row)
    loss = -torch.stack(agent.log_probs).sum()
    optimizer.zero_grad()  # T2J500
    loss.backward()  # T2J500
    optimizer.step()  # T2J500
    return agent.score.weight.detach()
