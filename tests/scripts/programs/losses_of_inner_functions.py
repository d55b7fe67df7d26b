# also: nnx, linen
"""Losses computed by functions that read the models from the function around them."""

from copy import deepcopy

import torch
from torch import nn
from torch.distributions import Categorical


def fill(module):
    with torch.no_grad():
        for number, p in enumerate(module.parameters()):
            p.copy_(torch.linspace(-0.5, 0.4, p.numel()).view_as(p) + 0.01 * number)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
        self.q = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 1))


def ddpg(actor_critic=ActorCritic, polyak=0.9):
    ac = actor_critic()
    fill(ac)
    target = deepcopy(ac)
    for p in target.parameters():
        p.requires_grad = False

    def loss_q(data):
        q = ac.q(torch.cat([data["obs"], data["act"]], dim=-1))
        with torch.no_grad():
            backup = data["rew"] + 0.9 * target.q(torch.cat([data["obs2"], target.pi(data["obs2"])], dim=-1))
        return ((q - backup) ** 2).mean(), dict(q=q.detach().numpy())

    def loss_pi(data):
        obs = data["obs"]
        return -ac.q(torch.cat([obs, ac.pi(obs)], dim=-1)).mean()

    pi_optimizer = torch.optim.Adam(ac.pi.parameters(), lr=1e-2)
    q_optimizer = torch.optim.Adam(ac.q.parameters(), lr=1e-2)

    def update(data):
        q_optimizer.zero_grad()
        value_loss, info = loss_q(data)
        value_loss.backward()
        q_optimizer.step()
        for p in ac.q.parameters():
            p.requires_grad = False
        pi_optimizer.zero_grad()
        policy_loss = loss_pi(data)
        policy_loss.backward()
        pi_optimizer.step()
        for p in ac.q.parameters():
            p.requires_grad = True
        print(value_loss.item(), policy_loss.item(), info["q"].sum())
        with torch.no_grad():
            for p, p_target in zip(ac.parameters(), target.parameters()):
                p_target.data.mul_(polyak)
                p_target.data.add_((1 - polyak) * p.data)

    for step in range(3):
        obs = torch.linspace(-1, 1, 12).reshape(4, 3) + step
        update(data=dict(obs=obs, act=torch.ones(4, 2) * 0.1, rew=torch.ones(4, 1) * step, obs2=obs + 1))
    print(sum(p.sum().item() for p in target.parameters()))


def policy_gradient(epochs=3):
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2))
    fill(net)

    def policy(obs):
        return Categorical(logits=net(obs))

    def compute_loss(obs, act, *, weights):
        return -(policy(obs).log_prob(act) * weights).mean()

    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)

    def one_epoch(epoch):
        observed, acts, weights = [], [], []
        for t in range(4):
            observed.append([0.1 * t, 0.2 * epoch])
            probs = policy(torch.as_tensor(observed[-1], dtype=torch.float32)).probs
            acts.append(int(probs[0].item() * 1000) % 2)
            weights += [1.0 + t]
        optimizer.zero_grad()
        loss = compute_loss(torch.as_tensor(observed), torch.as_tensor(acts), weights=torch.as_tensor(weights))
        loss.backward()
        optimizer.step()
        return loss

    for epoch in range(epochs):
        print(f"{one_epoch(epoch).item():.5f}")


def two_models():
    body, head = nn.Linear(2, 2), nn.Linear(2, 1)
    fill(body)
    fill(head)
    scale = 1.0

    def features(x, power=1.0):
        return body(x) * power

    def compute_loss(x):
        return (head(features(x, power=0.5)) ** 2).mean() * scale

    optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
    for step in range(3):
        loss = compute_loss(torch.ones(3, 2) * step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scale = scale * 0.5
        print(loss.item(), features(torch.ones(1, 2)).sum().item())


def with_state():
    net = nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4), nn.Dropout(0.0), nn.Linear(4, 1))
    fill(net)

    def compute_loss(x, y):
        out = net(x)
        return ((out - y) ** 2).mean(), out

    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        x = torch.linspace(-1, 1, 8).view(4, 2) * (step + 1)
        net.train()
        loss, _ = compute_loss(x, torch.ones(4, 1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        net.eval()
        with torch.no_grad():
            print(loss.item(), compute_loss(x, torch.zeros(4, 1))[0].item())


def fit(model, x, y):
    def objective(inputs, targets):
        return nn.functional.mse_loss(model(inputs), targets)

    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        loss = objective(x, y)
        loss.backward()
        optimizer.step()
    return loss.item()


def search(x, y):
    found = []
    for width in (2, 3):
        model = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 1))
        fill(model)

        def objective(inputs, targets):
            return (model(inputs) - targets).abs().mean()

        optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
        for _ in range(3):
            loss = objective(x, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        found.append(loss.item())
    return found


if __name__ == "__main__":
    ddpg()
    policy_gradient()
    two_models()
    with_state()
    points = torch.linspace(-1, 1, 8).view(4, 2)
    values = points.sum(1, keepdim=True) ** 2
    line = nn.Linear(2, 1)
    fill(line)
    print(fit(line, points, values))
    print(search(points, values))
