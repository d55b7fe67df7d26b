"""Objects that count on the row that is written next: rollouts, replay buffers, and text that grows."""

import torch


class Rollout:
    def __init__(self, steps, envs):
        self.obs = torch.zeros(steps + 1, envs, 3)
        self.rewards = torch.zeros(steps, envs, 1)
        self.steps = steps
        self.step = 0

    def insert(self, obs, rewards):
        self.obs[self.step + 1].copy_(obs)
        self.rewards[self.step].copy_(rewards)
        self.step = (self.step + 1) % self.steps

    def after_update(self):
        self.obs[0].copy_(self.obs[-1])


class Replay:
    def __init__(self, room, width):
        self.data = torch.zeros(room, width)
        self.room = room
        self.at = 0
        self.size = 0

    def add(self, x):
        self.data[self.at] = x
        self.data[self.at].mul_(2)
        self.at = (self.at + 1) % self.room
        self.size = min(self.size + 1, self.room)

    def last(self):
        return self.data[self.size - 1].clone()


def described(entries):
    found = []
    for name, text in entries:
        text += "%s has %d" % (name, len(name))
        text += f" of {len(entries)}"
        found.append(text)
    return found


def main():
    rollout = Rollout(3, 2)
    for i in range(5):
        rollout.insert(torch.full((2, 3), float(i)), torch.ones(2, 1) * i)
    rollout.after_update()
    print(rollout.obs.tolist(), rollout.rewards.tolist(), rollout.step)
    replay = Replay(3, 2)
    for i in range(4):
        replay.add(torch.full((2,), float(i)))
    print(replay.data.tolist(), replay.last().tolist(), replay.size, replay.at)
    print(described([("ab", "- "), ("c", "+ ")]))


main()
