# also: nnx, linen
"""Tests of models that draw, in the classes of unittest: each makes its own numbers, whoever calls it."""

import io
import unittest

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, 2)
        self.bn = nn.BatchNorm1d(2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.bn(self.fc(x)))


class QuietTestCase(unittest.TestCase):
    def check(self, a, b):
        self.assertTrue(bool((a - b).abs().max() < 1e-4))


class SeededTest(QuietTestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.x = torch.randn(4, 3)
        self.net = Net(3)

    def test_eval(self):
        self.net.eval()
        self.check(self.net(self.x), self.net(self.x))

    def test_counts(self):
        self.net(torch.randn(8, 3))
        self.net(torch.randn(8, 3))
        self.assertEqual(int(self.net.bn.num_batches_tracked), 2)

    def test_noise(self):
        other = torch.randn(4, 3)
        self.assertGreater(float((other - self.x).abs().sum()), 0.01)


class OnlySeedsTest(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(3)

    def test_draws(self):
        self.assertEqual(tuple(torch.rand(3).shape), (3,))

    def test_helper(self):
        for n in (2, 3):
            with self.subTest(n=n):
                self.assertEqual(tuple(self.make(n).shape), (n,))

    def make(self, n):
        return torch.randn(n)


class ClassTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = torch.rand(5)

    def test_range(self):
        self.assertTrue(bool((self.data >= 0).all()))


for case in (SeededTest, OnlySeedsTest, ClassTest):
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    print(case.__name__, result.testsRun, len(result.failures), len(result.errors))
