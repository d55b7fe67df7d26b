class Schedule:
    """How much a penalty counts: the last of a list, which grows."""

    def __init__(self, first):
        self.values = [first]
        self.named = {"bonus": 0.0}

    def step(self):
        self.values.append(0.5 * self.values[-1])

    def now(self):
        return self.values[-1] + self.named["bonus"]
