# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high


class Policy(nn.Module):
    def __init__(self, num_inputs, num_actions, action_space=None):
        super().__init__()
        self.linear = nn.Linear(num_inputs, 8)
        self.mean = nn.Linear(8, num_actions)
        self.noise = torch.Tensor(num_actions)
        if action_space is None:
            self.action_scale = torch.tensor(1.0)
            self.action_bias = torch.tensor(0.0)
        else:
            self.action_scale = torch.FloatTensor((action_space.high - action_space.low) / 2.0)
            self.action_bias = torch.FloatTensor((action_space.high + action_space.low) / 2.0)

    def forward(self, state):
        x = F.relu(self.linear(state))
        return torch.tanh(self.mean(x)) * self.action_scale + self.action_bias

    def sample(self, state):
        mean = self.forward(state)
        noise = self.noise.normal_(0.0, std=0.0)
        noise = noise.clamp(-0.25, 0.25)
        return mean + noise, mean

    def to(self, device):
        self.action_scale = self.action_scale.to(device)
        self.action_bias = self.action_bias.to(device)
        self.noise = self.noise.to(device)
        return super().to(device)


policy = Policy(3, 2).to(torch.device("cpu"))
with torch.no_grad():
    for k, p in enumerate(policy.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape) * 0.4)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.05)
state = torch.linspace(-1, 1, 12).view(4, 3)
for i in range(4):
    with torch.no_grad():
        target, _ = policy.sample(state)
    action, mean = policy.sample(state)
    loss = ((action - 0.5 * target - 0.3) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step(closure=None)
    print("%.5f %.5f" % (loss.item(), mean.sum().item()))
