# flagged: T2J500
from common import data, make_model
from agent import Agent
x, y = data()
a = Agent(make_model(), make_model())
for i in range(4):
    print(a.learn(x, y))

import utils
f = utils.optimize
print(f.__name__)
