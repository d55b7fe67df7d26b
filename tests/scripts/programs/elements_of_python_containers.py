# also: nnx
from __future__ import annotations

import copy
import heapq
import queue
import random
from collections import ChainMap, OrderedDict, deque
from collections.abc import Iterable, Sequence
from typing import Any

import torch


def of_any(batch: dict[str, Any]):
    return batch["x"].size(0) + batch["x"].size(-1)


def of_list(xs: list):
    return sum(x.size(0) for x in xs)


def of_typing_list(xs: list):
    return torch.cat(xs).size(0) + xs[0].view(-1).size(0)


def of_tuple(pair: tuple):
    x, y = pair
    return x.size(0) * y.size(1)


def of_open_tuple(pair: tuple[Any, Any] | None = None):
    return 0 if pair is None else pair[0].size(0) + pair[1].size(1)


def of_sequence(xs: Sequence | None = None):
    return xs[0].size(1)


def of_deque(memory: deque):
    return torch.cat(list(memory)).size(0) + memory[0].size(0)


def of_ordered(table: OrderedDict):
    return sum(v.size(0) for v in table.values())


def of_dict(config: dict):
    return config["w"].size(0) * config["n"]


def of_iterable(xs: Iterable) -> int:
    n = 0
    for x in xs:
        n += x.size(0)
    return n


def of_lists(rows: list[list]):
    return sum(row[1].size(1) for row in rows)


x, y = torch.ones(2, 3), torch.ones(4, 5)
xs = [x, y]
print(of_any({"x": x, "n": 3}), of_list(xs), of_typing_list([x, x]), of_tuple((x, y)))
print(of_open_tuple((x, y)), of_open_tuple(), of_sequence([x]), of_lists([[x, y]]))
memory = deque(maxlen=2)
memory.append(x)
memory.append(x)
print(of_deque(memory), of_ordered(OrderedDict(a=x, b=y)), of_dict({"w": x, "n": 3}), of_iterable(xs))

print(memory[0].size(0), memory.popleft().size(0), memory.pop().size(1))
print(sorted(t.size(0) for t in random.sample(xs, 2)), random.choice([x, x]).size(0))
print([t.view(-1).size(0) for t in random.choices([y], k=2)])
heap = []
heapq.heappush(heap, (1.5, 0, x))
heapq.heappush(heap, (0.5, 1, y))
score, _, first = heapq.heappop(heap)
print(score, first.size(0), heap[0][2].size(1))
print(ChainMap({"a": x}, {"b": y})["b"].size(0), copy.deepcopy(xs)[1].size(0))
fifo = queue.Queue()
fifo.put(x)
print(fifo.get().size(0))
replay = deque(maxlen=4)
for step in range(5):
    replay.append((torch.full((1, 3), float(step)), step % 2, None if step == 4 else y))
batch = random.sample(replay, 4)
print(
    sorted(state.mean(dim=1).item() for state, _, _ in batch),
    sum(last[2].size(0) for last in batch if last[2] is not None),
)
print(sorted(row[0].unsqueeze(0).sum(dim=-1).item() for row in batch))
