"""Contexts of modes that are given what nobody knows."""

import torch
import torch.nn as nn


class eval_mode(object):
    def __init__(self, *models):
        self.models = models

    def __enter__(self):
        self.prev_states = []
        for model in self.models:
            self.prev_states.append(model.training)
            model.train(False)

    def __exit__(self, *args):
        for model, state in zip(self.models, self.prev_states):
            model.train(state)
        return False


def evaluate(net, x):
    with eval_mode(net):
        return net(x)


class Runner:
    def __init__(self, agent):
        self.agent = agent

    def run(self, x):
        with eval_mode(self.agent):
            y = self.agent(x)
        return y


print(1)
# also: nnx, linen
