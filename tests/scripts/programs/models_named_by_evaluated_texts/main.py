# also: nnx, linen
import sys
import torch
import torch.nn as nn
import models
import genotypes

kind = 'Big' if len(sys.argv) > 1 else 'Small'
ARCH = 'Big'
net = eval('models.' + ARCH)(3)
for p in net.parameters():
    nn.init.constant_(p, 0.5)
print(net(torch.ones(1, 3)).tolist())
genotype = eval("genotypes.%s" % (kind[:1] < 'C' and 'A' or 'B'))
print(genotype.normal, genotype.reduce)
