# also: nnx, linen
"""Soft actor-critic with a delayed policy: what it draws for it is computed ahead, and read by the temperature, too."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Normal


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(0.3 * torch.linspace(-0.5, 0.7, p.numel()).view_as(p))


class SoftQNetwork(nn.Module):
    def __init__(self, num_inputs, num_actions, hidden_size=16, init_w=3e-3):
        super(SoftQNetwork, self).__init__()
        self.linear1 = nn.Linear(num_inputs + num_actions, hidden_size)
        self.linear2 = nn.Linear(hidden_size, 1)
        self.linear2.weight.data.uniform_(-init_w, init_w)

    def forward(self, state, action):
        x = torch.cat([state, action], 1)
        return self.linear2(F.relu(self.linear1(x)))


class PolicyNetwork(nn.Module):
    def __init__(self, num_inputs, num_actions, hidden_size=16, log_std_min=-20, log_std_max=2):
        super(PolicyNetwork, self).__init__()
        self.log_std_min, self.log_std_max = log_std_min, log_std_max
        self.linear1 = nn.Linear(num_inputs, hidden_size)
        self.mean_linear = nn.Linear(hidden_size, num_actions)
        self.log_std_linear = nn.Linear(hidden_size, num_actions)

    def forward(self, state):
        x = F.relu(self.linear1(state))
        mean = self.mean_linear(x)
        log_std = self.log_std_linear(x)
        log_std = torch.clamp(log_std, self.log_std_min, self.log_std_max)
        return mean, log_std

    def sample(self, state, epsilon=1e-6):
        mean, log_std = self.forward(state)
        std = log_std.exp()
        normal = Normal(mean, std)
        z = mean + 0.3 * std
        log_pi = normal.log_prob(z) - torch.log(1 - (torch.tanh(z)).pow(2) + epsilon)
        log_pi = log_pi.sum(1, keepdim=True)
        return torch.tanh(z), log_pi


class SACAgent:
    def __init__(self, gamma, tau, alpha, q_lr, policy_lr, a_lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.gamma = gamma
        self.tau = tau
        self.update_step = 0
        self.delay_step = 2
        self.q_net1 = SoftQNetwork(3, 2).to(self.device)
        self.q_net2 = SoftQNetwork(3, 2).to(self.device)
        self.target_q_net1 = SoftQNetwork(3, 2).to(self.device)
        self.target_q_net2 = SoftQNetwork(3, 2).to(self.device)
        self.policy_net = PolicyNetwork(3, 2).to(self.device)
        for m in (self.q_net1, self.q_net2, self.policy_net):
            fill(m)
        for target_param, param in zip(self.target_q_net1.parameters(), self.q_net1.parameters()):
            target_param.data.copy_(param)
        for target_param, param in zip(self.target_q_net2.parameters(), self.q_net2.parameters()):
            target_param.data.copy_(param)
        self.q1_optimizer = optim.Adam(self.q_net1.parameters(), lr=q_lr)
        self.q2_optimizer = optim.Adam(self.q_net2.parameters(), lr=q_lr)
        self.policy_optimizer = optim.Adam(self.policy_net.parameters(), lr=policy_lr)
        self.alpha = alpha
        self.target_entropy = -torch.prod(torch.Tensor((2,)).to(self.device)).item()
        self.log_alpha = torch.zeros(1, requires_grad=True, device=self.device)
        self.alpha_optim = optim.Adam([self.log_alpha], lr=a_lr)

    def update(self, batch):
        states, actions, rewards, next_states, dones = batch
        states = torch.FloatTensor(states).to(self.device)
        actions = torch.FloatTensor(actions).to(self.device)
        rewards = torch.FloatTensor(rewards).to(self.device)
        next_states = torch.FloatTensor(next_states).to(self.device)
        dones = torch.FloatTensor(dones).to(self.device)
        dones = dones.view(dones.size(0), -1)

        next_actions, next_log_pi = self.policy_net.sample(next_states)
        next_q1 = self.target_q_net1(next_states, next_actions)
        next_q2 = self.target_q_net2(next_states, next_actions)
        next_q_target = torch.min(next_q1, next_q2) - self.alpha * next_log_pi
        expected_q = rewards + (1 - dones) * self.gamma * next_q_target

        curr_q1 = self.q_net1.forward(states, actions)
        curr_q2 = self.q_net2.forward(states, actions)
        q1_loss = F.mse_loss(curr_q1, expected_q.detach())
        q2_loss = F.mse_loss(curr_q2, expected_q.detach())

        self.q1_optimizer.zero_grad()
        q1_loss.backward()
        self.q1_optimizer.step()

        self.q2_optimizer.zero_grad()
        q2_loss.backward()
        self.q2_optimizer.step()

        new_actions, log_pi = self.policy_net.sample(states)
        if self.update_step % self.delay_step == 0:
            min_q = torch.min(
                self.q_net1.forward(states, new_actions),
                self.q_net2.forward(states, new_actions)
            )
            policy_loss = (self.alpha * log_pi - min_q).mean()
            self.policy_optimizer.zero_grad()
            policy_loss.backward()
            self.policy_optimizer.step()
            for target_param, param in zip(self.target_q_net1.parameters(), self.q_net1.parameters()):
                target_param.data.copy_(self.tau * param + (1 - self.tau) * target_param)
            for target_param, param in zip(self.target_q_net2.parameters(), self.q_net2.parameters()):
                target_param.data.copy_(self.tau * param + (1 - self.tau) * target_param)

        alpha_loss = (self.log_alpha * (-log_pi - self.target_entropy).detach()).mean()
        self.alpha_optim.zero_grad()
        alpha_loss.backward()
        self.alpha_optim.step()
        self.alpha = self.log_alpha.exp()
        self.update_step += 1
        return q1_loss.item(), q2_loss.item(), alpha_loss.item()


agent = SACAgent(0.9, 0.1, 0.2, 0.01, 0.01, 0.01)
rng = np.random.RandomState(0)
for i in range(5):
    b = rng.randn(4, 3), rng.randn(4, 2), rng.randn(4, 1), rng.randn(4, 3), np.zeros(4)
    print(i, *[round(v, 4) for v in agent.update(b)])
print(round(sum(p.sum().item() for p in agent.policy_net.parameters()), 4))
