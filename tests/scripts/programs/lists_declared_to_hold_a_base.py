# also: nnx, linen
from typing import List

import torch


class Filter:
    def apply(self, logits, tokens) -> None:
        raise NotImplementedError


class SuppressBlank(Filter):
    def __init__(self, begin):
        self.begin = begin

    def apply(self, logits, tokens):
        if tokens.shape[1] == self.begin:
            logits[:, [0, 2]] = -10.0


class SuppressTokens(Filter):
    def __init__(self, tokens):
        self.tokens = list(tokens)

    def apply(self, logits, tokens):
        logits[:, self.tokens] = -5.0


class Rules(Filter):
    def __init__(self, last):
        self.last = last

    def apply(self, logits, tokens):
        for k in range(tokens.shape[0]):
            if tokens[k, -1] > 1:
                logits[k, self.last :] = -7.0
        if self.last is not None:
            logits[:, self.last + 1 :] = -8.0


class Task:
    filters: List[Filter]

    def __init__(self, blank=True, suppress=(3,)):
        self.filters = []
        if blank:
            self.filters.append(SuppressBlank(2))
        if suppress:
            self.filters.append(SuppressTokens(suppress))
        self.filters.append(Rules(4))

    def loop(self, tokens):
        for i in range(3):
            logits = torch.linspace(0, 1, 12).reshape(2, 6) * (i + 1)
            for logit_filter in self.filters:
                logit_filter.apply(logits, tokens)
            tokens = torch.cat([tokens, logits.argmax(-1)[:, None]], dim=1)
            print(logits.tolist())
        return tokens


print(Task().loop(torch.tensor([[0, 1], [1, 2]])).tolist())
print(Task(blank=False, suppress=()).loop(torch.tensor([[0, 1], [1, 2]])).tolist())
