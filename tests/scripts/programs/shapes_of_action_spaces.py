# also: nnx, linen
"""A target entropy of the shape of an action space, which is a tuple of numbers and no shape of a tensor: its elements are data."""

import numpy as np
import torch


class Box:
    def __init__(self, low, high):
        self.low, self.high = np.array(low), np.array(high)
        self.shape = self.low.shape


class Agent:
    def __init__(self, action_space, device, bounds=None):
        self.device = torch.device(device)
        self.target_entropy = -torch.prod(torch.Tensor(action_space.shape).to(self.device)).item()
        self.log_alpha = torch.zeros(1, requires_grad=True, device=self.device)
        self.alpha_optim = torch.optim.Adam([self.log_alpha], lr=0.1)
        if bounds is not None:
            self.sizes = torch.LongTensor(bounds.shape)

    def update(self, log_pi):
        alpha_loss = -(self.log_alpha * (log_pi + self.target_entropy).detach()).mean()
        self.alpha_optim.zero_grad()
        alpha_loss.backward()
        self.alpha_optim.step()
        return alpha_loss.item()


def entropy(space):
    return -np.prod(space.shape).item(), torch.FloatTensor(space.shape)


box = Box([[-2.0, -1.0, 0.0]] * 2, [[2.0, 1.0, 3.0]] * 2)
agent = Agent(box, "cpu", box)
print(agent.target_entropy, agent.sizes.tolist(), entropy(box)[1].tolist())
for i in range(3):
    print(agent.update(torch.linspace(-1, i, 4)), agent.log_alpha.tolist())
