"""Averages of models and target networks: parameters that follow those of another model."""

import copy

import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self, value=0.5):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.act = nn.ReLU()
        self.out = nn.Linear(4, 2)
        nn.init.constant_(self.fc.weight, value)
        nn.init.constant_(self.fc.bias, 0.1)
        nn.init.constant_(self.out.weight, -value)
        nn.init.constant_(self.out.bias, 0.2)

    def forward(self, x):
        return self.out(self.act(self.fc(x)))


@torch.no_grad()
def update_ema(ema_model, model, decay=0.9):
    for ema_p, p in zip(ema_model.parameters(), model.parameters()):
        ema_p.mul_(decay).add_(p, alpha=1 - decay)


def soft_update(target: nn.Module, source: nn.Module, tau: float):
    for target_param, param in zip(target.parameters(), source.parameters()):
        target_param.data.copy_(target_param.data * (1.0 - tau) + param.data * tau)


def hard_update(target, source):
    for target_param, param in zip(target.parameters(), source.parameters()):
        target_param.data.copy_(param.data)


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model)
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for p, q in zip(self.model.parameters(), model.parameters()):
            p.lerp_(q, 1 - self.decay)


class Shadow:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {}
        for name, param in model.named_parameters():
            if param.requires_grad:
                self.shadow[name] = param.data.clone()

    def update(self, model):
        for name, param in model.named_parameters():
            if param.requires_grad:
                new_average = (1.0 - self.decay) * param.data + self.decay * self.shadow[name]
                self.shadow[name] = new_average.clone()


class Agent:
    def __init__(self):
        self.net = Net(0.25)
        self.target = Net(0.75)
        self.target.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.tau = 0.1

    def learn(self, x):
        with torch.no_grad():
            wanted = self.target(x)
        loss = ((self.net(x) - wanted - 1) ** 2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        for p, q in zip(self.target.parameters(), self.net.parameters()):
            p.data.mul_(1 - self.tau)
            p.data.add_(self.tau * q.data)
        return loss.item()


def case_function():
    model, ema = Net(0.5), Net(0.25)
    update_ema(ema, model)
    update_ema(ema, model, decay=0.5)
    return ema.fc.weight, ema.out.bias, model.fc.weight


def case_copy_of_data():
    model, target = Net(0.5), Net(0.25)
    soft_update(target, model, 0.1)
    return target.fc.weight, target.out.weight


def case_hard_update():
    model, target = Net(0.5), Net(0.25)
    hard_update(target, model)
    return target.fc.weight, target.out.weight


def case_class(x: Tensor):
    model = Net(0.5)
    ema = EMA(model, 0.9)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = (model(x) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
    return ema.model.fc.weight, model.fc.weight, ema.model(x)


def case_shadow(x: Tensor):
    model = Net(0.5)
    ema = Shadow(model, 0.9)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = (model(x) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
    return ema.shadow["fc.weight"], model.fc.weight


def case_agent(x: Tensor):
    agent = Agent()
    losses = [agent.learn(x) for _ in range(3)]
    return losses, agent.target.fc.weight, agent.net.fc.weight


def case_in_place_in_a_script(x: Tensor):
    model = Net(0.5)
    ema = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    decay = 0.9
    for step in range(3):
        loss = (model(x) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for p, p_ema in zip(model.parameters(), ema.parameters()):
                p_ema.copy_(p.lerp(p_ema, decay))
    return ema.fc.weight, model.fc.weight


def case_assigned_data():
    model, ema = Net(0.5), Net(0.25)
    for p, q in zip(ema.parameters(), model.parameters()):
        p.data = 0.9 * p.data + 0.1 * q.data
    return ema.fc.weight, ema.fc.bias


def case_by_state_dict():
    model, ema = Net(0.5), Net(0.25)
    values = model.state_dict()
    with torch.no_grad():
        for name, value in ema.state_dict().items():
            value.mul_(0.9).add_(values[name], alpha=0.1)
    return ema.fc.weight, ema.fc.bias


def case_new_state_dict():
    model, ema = Net(0.5), Net(0.25)
    values, averages = model.state_dict(), ema.state_dict()
    ema.load_state_dict({name: 0.9 * averages[name] + 0.1 * values[name] for name in values})
    return ema.fc.weight, ema.fc.bias


def case_target_loads():
    net, target = Net(0.5), Net(0.25)
    target.load_state_dict(net.state_dict())
    return target.fc.weight


def case_target_is_a_copy(x: Tensor):
    net = Net(0.5)
    target = Net(0.25)
    target.load_state_dict(net.state_dict())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = (net(x) ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return target.fc.weight, net.fc.weight


def case_foreach():
    model, ema = Net(0.5), Net(0.25)
    with torch.no_grad():
        torch._foreach_mul_(list(ema.parameters()), 0.9)  # T2J200
    return ema.fc.weight


def case_swa():
    model = Net(0.5)
    averaged = torch.optim.swa_utils.AveragedModel(model)  # T2J200
    averaged.update_parameters(model)
    return averaged.module.fc.weight


# unchanged
def case_plain_lists():
    averages, values = [1.0, 2.0], [3.0, 4.0]
    for i, (average, value) in enumerate(zip(averages, values)):
        averages[i] = 0.9 * average + 0.1 * value
    return averages


def case_only_read():
    model, other = Net(0.5), Net(0.25)
    total = torch.zeros(())
    for p, q in zip(model.parameters(), other.parameters()):
        total = total + ((p - q) ** 2).sum()
    return total
