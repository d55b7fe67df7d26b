# also: nnx, linen
"""Inputs and noise of a GAN that are kept between rounds, resized and filled in place, with names for them in each round."""

import torch
from torch import nn, optim
from torch.autograd import Variable
input = torch.FloatTensor(4, 3)
noise = torch.FloatTensor(4, 2, 1, 1)
one = torch.FloatTensor([1])
mone = one * -1
netG = nn.Conv2d(2, 3, 1)
netD = nn.Conv2d(3, 1, 1)
if torch.cuda.is_available():
    input, noise = input.cuda(), noise.cuda()
for p in list(netG.parameters()) + list(netD.parameters()):
    p.data.fill_(0.1)
optimizerD = optim.SGD(netD.parameters(), lr=0.1)
optimizerG = optim.SGD(netG.parameters(), lr=0.1)
for k in range(3):
    for p in netD.parameters():
        p.requires_grad = True
    real_cpu = torch.ones(4, 3, 1, 1) * k
    netD.zero_grad()
    input.resize_as_(real_cpu).copy_(real_cpu)
    inputv = Variable(input)
    errD_real = netD(inputv).mean(0).view(1)
    errD_real.backward(one)
    noise.resize_(4, 2, 1, 1).fill_(k)
    noisev = Variable(noise)
    fake = Variable(netG(noisev).data)
    inputv = fake
    errD_fake = netD(inputv).mean(0).view(1)
    errD_fake.backward(mone)
    errD = errD_real - errD_fake
    optimizerD.step()
    for p in netD.parameters():
        p.requires_grad = False
    netG.zero_grad()
    noise.resize_(4, 2, 1, 1).fill_(2 * k)
    noisev = Variable(noise)
    fake = netG(noisev)
    errG = netD(fake).mean(0).view(1)
    errG.backward(one)
    optimizerG.step()
    print(errD.item(), errG.item())
