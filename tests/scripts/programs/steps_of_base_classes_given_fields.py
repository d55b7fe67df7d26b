# also: nnx, linen
import copy
import torch
from torch import nn
import torch.nn.functional as F
from torch import optim





class BaseAgent:
    def __init__(self, config):
        self.config = config

    def take_optimisation_step(self, optimizer, network, loss, clipping_norm=None, retain_graph=False):
        optimizer.zero_grad()
        loss.backward(retain_graph=retain_graph)
        optimizer.step()

    def soft_update(self, local_model, target_model, tau):
        for target_param, local_param in zip(target_model.parameters(), local_model.parameters()):
            target_param.data.copy_(tau * local_param.data + (1.0 - tau) * target_param.data)
class DQN(BaseAgent):
    def __init__(self, config, make):
        BaseAgent.__init__(self, config)
        self.local = make()
        self.target = copy.deepcopy(self.local)
        self.optimizer = optim.Adam(self.local.parameters(), lr=config["lr"], eps=1e-4)

    def learn(self, x, y):
        with torch.no_grad():
            target = y + 0.5 * self.target(x)
        loss = F.mse_loss(self.local(x), target)
        self.take_optimisation_step(self.optimizer, self.local, loss, self.config["clip"])
        self.soft_update(self.local, self.target, 0.1)
        return loss.item()
def make_model():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))
    return model

def data():
    x = torch.linspace(-1, 1, 24).view(6, 4)
    return x, torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)

x, y = data()
agent = DQN({"lr": 0.01, "clip": 0.5}, make_model)
for i in range(4):
    print(agent.learn(x, y), agent.target(x).sum().item())
