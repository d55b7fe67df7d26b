import torch


class Swarm:
    def __init__(self, position):
        self.position = position.clone()
        self.best = position.clone()
        self.score = torch.full((len(position),), 1e9)

    def step(self, score):
        is_better = score < self.score
        self.best[is_better] = self.position[is_better]
        self.score = torch.minimum(score, self.score)
        return self.best[self.score.argmin()]

    def copied(self, score):
        self.score[score < self.score] = 0.0
        return self.best[self.score < 1.0]


def kept(position: torch.Tensor, scores: torch.Tensor):
    swarm = Swarm(position)
    best = []
    for score in scores:
        best.append(swarm.step(score))  # T2J303
    return best


def kept_copies(position: torch.Tensor, scores: torch.Tensor):
    swarm = Swarm(position)
    best = []
    for score in scores:
        best.append(swarm.copied(score))
    return best


def rows_of_products(x: torch.Tensor):
    x = x * 2.0
    row = x[x.sum(1).argmin()]
    x[x.sum(1) > 2.0] = 0.5  # T2J301
    return row.sum()


def rows_found_again(x: torch.Tensor):
    x = x * 2.0
    i = x.sum(1).argmax()
    row, last = x[i], x[len(x) - 1]
    x[2, 0] = -50.0
    return row.sum() + last.sum()


def rows_of_an_index_that_changes(x: torch.Tensor):
    x = x * 2.0
    i = x.sum(1).argmin()
    row = x[i]
    i += 1
    x[0, 0] = 3.0  # T2J301
    return row.sum()
