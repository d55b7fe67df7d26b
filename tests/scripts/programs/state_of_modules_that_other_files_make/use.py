import torch

import holding
import made


def main():
    x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
    net = made.normed()
    print(net(x)[0].tolist(), net[1].running_mean.tolist())
    other = made.normed()
    holder = holding.Holder(other)
    for _ in range(3):
        holder.run(x)
    holder.ready()
    print(holder.run(x)[0].tolist())
    model = holder.ready()
    print(model(x)[0].tolist())
