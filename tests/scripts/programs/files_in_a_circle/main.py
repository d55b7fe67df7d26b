import torch

from actor import Actor
from critic import Critic

torch.manual_seed(1)
actor = Actor(3)
critic = Critic(actor)
print(critic(torch.ones(2, 3)).shape, actor.judged(torch.ones(2, 3)).shape)
