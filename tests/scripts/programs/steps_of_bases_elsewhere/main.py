# also: nnx, linen
from common import data, make_model
from dqn import DQN

x, y = data()
agent = DQN({"lr": 0.01, "clip": 0.5}, make_model)
for i in range(4):
    print(agent.learn(x, y), agent.target(x).sum().item())
