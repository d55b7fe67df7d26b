# also: nnx
"""`.data` of what a call or an index gives, a tensor here and an object of the program there, is that of whichever it is."""

import queue

import torch


class Frame:
    def __init__(self, values):
        self.data = values

    def cpu(self):
        return self

    def numpy(self):
        return self.data.numpy()


def host(x):
    return x.cpu().data.numpy()


def first(batch):
    return batch[0].data + torch.ones(2)


def shown(make, x):
    return make(x).data.sum()


def main(things):
    waiting = queue.Queue()
    for thing in things:
        waiting.put(thing)
    while not waiting.empty():
        thing = waiting.get()
        a = host(thing)
        a = a * 2
        print(a.tolist(), first([thing, 1]).tolist(), shown(lambda x: x, thing).item())


x = torch.linspace(0, 1, 2)
main([x, Frame(x * 3)])
main([torch.ones(2, requires_grad=True)])
