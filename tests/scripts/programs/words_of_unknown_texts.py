# also: nnx, linen
"""Words of texts of which nothing says that they are texts, some of which get numbers."""

import random
import torch
class Data:
    def __init__(self, vocab):
        self.vocab = vocab
    def random_word(self, sentence):
        tokens = sentence.split()
        output_label = []
        for i, token in enumerate(tokens):
            prob = random.random()
            if prob < 0.15:
                tokens[i] = self.vocab.get(token, 0)
                output_label.append(self.vocab.get(token, 1))
            else:
                tokens[i] = self.vocab.get(token, 2)
                output_label.append(0)
        return tokens, output_label
def read(path, column):
    first = path.split(",", 1)[0]
    rows = [line.split(",") for line in path.splitlines()]
    rows[0][1] = 5
    return first, rows, torch.tensor([float(v) for v in column.split()])
random.seed(0)
d = Data({"a": 4, "b": 5})
print([torch.tensor(v).tolist() for v in d.random_word("a b c")][0])
print(read("a,b\nc,d", "1 2 3")[2].tolist())
