# also: nnx, linen
# Agents whose networks another file has: a method called `sample` gives what gradients go through, and two losses share a target.
import torch
import torch.nn.functional as F
import torch.optim as optim
from networks import Critic, Policy, filled


class Agent:
    def __init__(self, obs, act, gamma, tau, delay):
        self.gamma, self.tau, self.delay = gamma, tau, delay
        self.update_step = 0
        self.alpha = 0.2
        self.q_net1 = filled(Critic(obs, act))
        self.q_net2 = filled(Critic(obs, act))
        self.target_q_net1 = filled(Critic(obs, act))
        self.target_q_net2 = filled(Critic(obs, act))
        self.policy_net = filled(Policy(obs, act))
        self.q1_optimizer = optim.Adam(self.q_net1.parameters(), lr=0.01)
        self.q2_optimizer = optim.SGD(self.q_net2.parameters(), lr=0.05)
        self.policy_optimizer = optim.Adam(self.policy_net.parameters(), lr=0.01)
        self.target_entropy = -float(act)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.alpha_optim = optim.Adam([self.log_alpha], lr=0.01)

    def update(self, states, actions, rewards, next_states, dones):
        next_actions, next_log_pi = self.policy_net.sample(next_states)
        next_q1 = self.target_q_net1(next_states, next_actions)
        next_q2 = self.target_q_net2(next_states, next_actions)
        expected_q = rewards + (1 - dones) * self.gamma * (torch.min(next_q1, next_q2) - self.alpha * next_log_pi)

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
        if self.update_step % self.delay == 0:
            min_q = torch.min(self.q_net1.forward(states, new_actions), self.q_net2.forward(states, new_actions))
            policy_loss = (self.alpha * log_pi - min_q).mean()
            self.policy_optimizer.zero_grad()
            policy_loss.backward()
            self.policy_optimizer.step()
            for target_param, param in zip(self.target_q_net1.parameters(), self.q_net1.parameters()):
                target_param.data.copy_(self.tau * param + (1 - self.tau) * target_param)
            for target_param, param in zip(self.target_q_net2.parameters(), self.q_net2.parameters()):
                target_param.data.copy_(self.tau * param + (1 - self.tau) * target_param)
            print(policy_loss.item())

        alpha_loss = (self.log_alpha * (-log_pi - self.target_entropy).detach()).mean()
        self.alpha_optim.zero_grad()
        alpha_loss.backward()
        self.alpha_optim.step()
        self.alpha = self.log_alpha.exp()
        self.update_step += 1
        return q1_loss.item(), q2_loss.item(), alpha_loss.item()


agent = Agent(4, 2, 0.9, 0.1, 2)
states = torch.sin(torch.arange(24.0)).reshape(6, 4)
actions = torch.cos(torch.arange(12.0)).reshape(6, 2)
rewards = torch.linspace(-1, 1, 6).reshape(6, 1)
dones = torch.tensor([0.0, 0.0, 1.0, 0.0, 1.0, 0.0]).reshape(6, 1)
for step in range(4):
    print(step, *agent.update(states, actions, rewards, states.roll(1, 0), dones))
for net in (agent.q_net1, agent.q_net2, agent.policy_net, agent.target_q_net1):
    print(sum(p.abs().sum().item() for p in net.parameters()))
print(agent.alpha.item())
