from collections import namedtuple

Genotype = namedtuple('Genotype', 'normal reduce')
A = Genotype(normal=[('skip', 0)], reduce=[1, 2])
B = Genotype(normal=[('sep', 1)], reduce=[3])
