import torch


class Settings:
    scale = torch.ones(3)


def rescale():
    Settings.scale[0] = 5  # T2J302


def double():
    t = Settings.scale
    t.mul_(2)  # T2J303
