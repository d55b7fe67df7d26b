import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(0.3 * torch.cos(0.7 * torch.arange(float(p.numel()))).reshape(p.shape))
    return net


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.linear1 = nn.Linear(obs + act, 8)
        self.linear2 = nn.Linear(8, 1)

    def forward(self, state, action):
        return self.linear2(F.relu(self.linear1(torch.cat([state, action], 1))))


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.linear1 = nn.Linear(obs, 8)
        self.mean = nn.Linear(8, act)
        self.log_std = nn.Linear(8, act)

    def forward(self, state):
        x = F.relu(self.linear1(state))
        return self.mean(x), torch.clamp(self.log_std(x), -2, 1)

    def sample(self, state):
        mean, log_std = self.forward(state)
        z = mean + 0.5 * log_std.exp()
        action = torch.tanh(z)
        log_pi = -0.125 - log_std - torch.log(1 - action.pow(2) + 1e-6)
        return action, log_pi.sum(1, keepdim=True)
