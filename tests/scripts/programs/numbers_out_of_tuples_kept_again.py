"""Numbers that come out of tuples of some container are counted up and put into another one, sets grow, and paths lie beside."""

# also: nnx, linen

import copy

import torch


class Rows:
    def __init__(self, train, people):
        self.train = train
        self.people = people

    def joined(self, other):
        train = copy.deepcopy(self.train)
        for path, person, camera in other.train:
            person += self.people
            camera += 1
            train.append((path, person, camera))
        return Rows(train, self.people + other.people)


def covered(documents):
    found = []
    for document in documents:
        text, seen = [], set()
        for item in document:
            new = set(range(item["start"], item["end"]))
            if len(new & seen) > 0:
                raise ValueError("overlapping")
            seen |= new
            text.extend(item["text"])
        found.append((len(seen), text))
    return found


def counted(rows):
    kept, last = [], 0
    for name, number in rows:
        kept.append((name, number))
        last += number
        number -= 1
        kept.append((name.upper(), number))
    return kept, last


first = Rows([("a.jpg", 0, 1), ("b.jpg", 1, 2)], 2)
second = Rows([("c.jpg", 0, 3)], 1)
both = first.joined(second)
print(both.train, both.people, first.train, second.train)
print(covered([[{"start": 1, "end": 3, "text": ["x"]}, {"start": 5, "end": 6, "text": ["y"]}], []]))
print(counted([("p", 3), ("q", 4)]))
x = torch.tensor([[row[1], row[2]] for row in both.train])
print(x.sum().item())
