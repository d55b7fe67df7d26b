# also: nnx, linen
# Two models in one function: gradients that a pass leaves in the other model are used, emptied or never used.
import torch
import torch.nn as nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x)


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))


def run(actor, critic, opt_a, opt_c, x, y):
    opt_c.zero_grad()
    opt_a.zero_grad()
    value = critic(x)
    actor_loss = (actor(x) * value).mean()
    actor_loss.backward(retain_graph=True)
    critic_loss = (value - y).pow(2).mean()
    critic_loss.backward()
    opt_a.step()
    opt_c.step()
    return actor_loss.item(), critic_loss.item()


def apart(actor, critic, opt_a, opt_c, x, y):
    value = critic(x)
    opt_a.zero_grad()
    other = actor(x)
    actor_loss = (other * value).mean()
    actor_loss.backward(retain_graph=True)
    opt_a.step()
    opt_c.zero_grad()
    critic_loss = (critic(x) - y + other.detach()).pow(2).mean()
    critic_loss.backward()
    opt_c.step()
    return actor_loss.item(), critic_loss.item()


def early(actor, critic, opt_a, opt_c, x, y):
    value = critic(x)
    opt_c.zero_grad()
    opt_a.zero_grad()
    actor_loss = (actor(x) * value).mean()
    actor_loss.backward()
    opt_a.step()
    critic_loss = (critic(x) - y).pow(2).mean()
    critic_loss.backward()
    opt_c.step()
    return actor_loss.item(), critic_loss.item()


x, y = torch.sin(torch.arange(12.)).reshape(4, 3), torch.ones(4, 1)
actor, critic = Actor(), Critic()
fill(actor)
fill(critic)
opt_a, opt_c = torch.optim.Adam(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
for i in range(3):
    print(*run(actor, critic, opt_a, opt_c, x, y))
print(sum(p.sum().item() for p in actor.parameters()), sum(p.sum().item() for p in critic.parameters()))
actor, critic = Actor(), Critic()
fill(actor)
fill(critic)
opt_a, opt_c = torch.optim.Adam(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
for i in range(3):
    print(*apart(actor, critic, opt_a, opt_c, x, y))
print(sum(p.sum().item() for p in actor.parameters()), sum(p.sum().item() for p in critic.parameters()))
actor, critic = Actor(), Critic()
fill(actor)
fill(critic)
opt_a, opt_c = torch.optim.Adam(actor.parameters(), lr=0.1), torch.optim.SGD(critic.parameters(), lr=0.1)
for i in range(3):
    print(*early(actor, critic, opt_a, opt_c, x, y))
print(sum(p.sum().item() for p in actor.parameters()), sum(p.sum().item() for p in critic.parameters()))
