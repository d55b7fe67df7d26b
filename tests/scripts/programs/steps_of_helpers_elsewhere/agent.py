import torch.nn.functional as F
from torch.optim import Adam, SGD
import utils
class Agent:
    def __init__(self, actor, critic):
        self.actor, self.critic = actor, critic
        self.actor_opt = Adam(self.actor.parameters(), lr=0.02)
        self.critic_opt = SGD(self.critic.parameters(), lr=0.05)
    def learn(self, x, y):
        q_loss = F.mse_loss(self.critic(x), y)
        utils.optimize(self.critic_opt, q_loss)
        pi_loss = -self.critic(x).mean() + self.actor(x).pow(2).mean()
        utils.optimize(self.actor_opt, pi_loss)
        return q_loss.item(), pi_loss.item()
