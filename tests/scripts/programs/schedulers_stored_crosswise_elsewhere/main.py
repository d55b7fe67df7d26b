# flagged: T2J507
from common import data
from trainer import Trainer

from build import build

x, y = data()
m1, o1, s1 = build(0.1)
m2, o2, s2 = build(0.2)
Trainer(m1, o1, s2).train(x, y)
Trainer(m2, o2, s1).train(x, y)
