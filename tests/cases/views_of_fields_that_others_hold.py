import torch
import torch.nn as nn


def double_(t):
    t.mul_(2)


class Keeper:
    def __init__(self, value):
        self.value = value


class Grid:
    def __init__(self):
        self.rows = torch.arange(12.0).reshape(3, 4)
        self.columns = torch.arange(12.0).reshape(3, 4)
        self.parts = torch.arange(12.0)
        self.alone = torch.arange(12.0)
        self.pair = (torch.ones(3), torch.zeros(3))
        self.first = torch.ones(3)
        self._hidden = torch.ones(3)

    @property
    def hidden(self):
        return self._hidden

    def by_a_view(self):
        self.columns.T[0][1:].mul_(3)

    def by_one_of_two(self):
        t, k = self.parts[4:8], 2
        t.mul_(k)

    def by_a_row(self):
        row = self.rows[0]
        row[0] = 1

    def by_a_slot(self):
        self.pair[0].zero_()

    def by_an_inner_function(self):
        def change(t):
            t.view(-1)[0] = 5

        change(self.first)

    def by_a_property(self):
        self.hidden.add_(1)

    def by_nobody_else(self):
        self.alone[4:8].mul_(2)


grid = Grid()
rows, columns, parts = Keeper(grid.rows[0]), Keeper(grid.columns), Keeper(grid.parts.chunk(3))
pair, first, hidden = Keeper(grid.pair[0]), Keeper([grid.first, 1]), Keeper(grid.hidden)
alone = Keeper(grid.alone.clone())
grid.by_a_view()  # T2J303
grid.by_one_of_two()  # T2J303
grid.by_a_row()  # T2J303
grid.by_a_slot()  # T2J303
grid.by_an_inner_function()  # T2J303
grid.by_a_property()  # T2J303
grid.by_nobody_else()
for keeper in (rows, columns, parts, pair, first, hidden, alone):
    print(keeper.value)


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bank", torch.zeros(4))
        self.register_buffer("count", torch.zeros(4))
        self.register_buffer("still", torch.zeros(4))

    @torch.no_grad()
    def note(self, x):
        self.bank[1:].add_(x)
        return self.still


def fill(memory):
    double_(memory.count)


class Settings:
    steps = [torch.ones(3), torch.zeros(3)]


def change_settings():
    for t in Settings.steps:
        t += 1


memory = Memory()
bank, count = Keeper(memory.bank), Keeper(memory.count)
still = Keeper(memory.still)
memory.note(1.0)  # T2J303
fill(memory)  # T2J303
change_settings()
print(bank.value, count.value, still.value, Settings.steps[0])
