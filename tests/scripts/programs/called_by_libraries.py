# also: nnx linen
"""Functions that Python calls by itself, which gives them no key: threads, callbacks, tests."""

import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

shapes = []


def make(n):
    return torch.randn(n, 4)


def worker(n):
    x, y = make(n), make(n)
    shapes.append((tuple(x.shape), bool((x == y).all())))


def train(n):
    net = nn.Linear(4, 2)
    return tuple(net(make(n)).shape), bool((make(n) == make(n)).any())


class Job(threading.Thread):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def run(self):
        x = make(self.n)
        shapes.append((tuple(x.shape), bool((x == make(self.n)).all())))


class Cases(unittest.TestCase):
    def setUp(self):
        self.x = torch.rand(2, 2)

    def test_other_draws(self):
        self.assertFalse(bool((self.x == torch.rand(2, 2)).all()))

    def test_shape(self):
        self.assertEqual(tuple(make(3).shape), (3, 4))


threads = [*(threading.Thread(target=worker, args=(n,)) for n in range(1, 4)), Job(4), Job(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(shapes))
with ThreadPoolExecutor(1) as pool:
    print([pool.submit(train, n).result() for n in (2, 3)])
drawn = []


def draw():
    drawn.append(torch.rand(3))


for _ in range(2):
    timer = threading.Timer(0.0, draw)
    timer.start()
    timer.join()
print(bool((drawn[0] == drawn[1]).any()), callable(make))
outcome = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(Cases).run(outcome)
print(outcome.testsRun, len(outcome.errors), len(outcome.failures))
