"""Sets of examples, which make others of their own class."""

import json

import torch


class Bank(torch.utils.data.Dataset):
    def __init__(self, examples):
        self.examples = examples

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, index):
        return self.examples[index]

    def short(self, length):
        return Bank([x for x in self.examples if len(x) <= length])


def load(text):
    examples = []
    for example in json.loads(text):
        examples.append(example)
    return Bank(examples)
