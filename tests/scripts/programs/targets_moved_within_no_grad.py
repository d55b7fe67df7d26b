# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, atoms, actions):
        super().__init__()
        self.atoms, self.actions = atoms, actions
        self.fc = nn.Linear(4, actions * atoms)

    def forward(self, x, log=False):
        q = self.fc(x).view(-1, self.actions, self.atoms)
        return F.log_softmax(q, dim=2) if log else F.softmax(q, dim=2)


class Agent:
    def __init__(self, atoms=5, actions=2):
        self.atoms, self.low, self.high = atoms, -2, 2
        self.support = torch.linspace(self.low, self.high, atoms)
        self.delta = (self.high - self.low) / (atoms - 1)
        self.net = Critic(atoms, actions)
        with torch.no_grad():
            for k, p in enumerate(self.net.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.05)

    def learn(self, states, actions, returns, next_states, size=4):
        log_ps = self.net(states, log=True)[range(size), actions]
        with torch.no_grad():
            pns = self.net(next_states)
            best = (self.support.expand_as(pns) * pns).sum(2).argmax(1)
            pns_a = pns[range(size), best]
            tz = (returns.unsqueeze(1) + 0.9 * self.support.unsqueeze(0)).clamp(min=self.low, max=self.high)
            b = (tz - self.low) / self.delta
            lower, upper = b.floor().to(torch.int64), b.ceil().to(torch.int64)
            lower[(upper > 0) * (lower == upper)] -= 1
            upper[(lower < (self.atoms - 1)) * (lower == upper)] += 1
            m = states.new_zeros(size, self.atoms)
            offset = torch.linspace(0, ((size - 1) * self.atoms), size).unsqueeze(1).expand(size, self.atoms).to(actions)
            m.view(-1).index_add_(0, (lower + offset).view(-1), (pns_a * (upper.float() - b)).view(-1))
            m.view(-1).index_add_(0, (upper + offset).view(-1), (pns_a * (b - lower.float())).view(-1))
        loss = -torch.sum(m * log_ps, 1)
        self.net.zero_grad()
        loss.mean().backward()
        self.optimizer.step()
        return loss.detach().numpy()


agent = Agent()
states = torch.cos(torch.arange(16).float()).view(4, 4)
for t in range(4):
    loss = agent.learn(states, torch.tensor([0, 1, 1, 0]), torch.tensor([0.5, -0.3, 1.0, 0.1]), states.flip(0))
    print(["%.4f" % v for v in loss])
