"""Transforms of torchvision that give a new tensor, or change the one that they are given."""

import torch
from torchvision import transforms
from torchvision.transforms.functional import normalize

denorm = transforms.Normalize((-2.0,), (4.0,))
inplace = transforms.Normalize((0.5,), (0.5,), inplace=True)
loaded = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,), (0.5,), inplace=True)])
given = transforms.Compose([transforms.Normalize((0.5,), (0.5,), inplace=True), denorm])


def shown(img: torch.Tensor):
    return denorm(img.squeeze()).clamp_(0, 1)


def scaled(img: torch.Tensor):
    img = denorm(img).mul_(255).add_(0.5).clamp_(0, 255)
    return img


def read(path, load):
    return loaded(load(path)).unsqueeze(0)


def made_for_it(x: torch.Tensor):
    x = x * 2
    x = inplace(x)
    return x


def seen_by_callers(x: torch.Tensor):
    return inplace(x)  # T2J302


def seen_later(x: torch.Tensor):
    x = x + 1
    y = inplace(x)  # T2J302
    return x + y


def first_of_several(x: torch.Tensor):
    return given(x)  # T2J302


def statement_on_its_own(x: torch.Tensor):
    x = x * 2
    normalize(x, [0.5], [0.5], inplace=True)
    normalize(x, (0.5,), (0.5,), True)
    return x


def statement_that_callers_see(x: torch.Tensor):
    normalize(x, [0.5], [0.5], inplace=True)  # T2J300
    return x.sum()


def in_the_middle(x: torch.Tensor):
    x = x + 1
    y = normalize(x, [0.5], [0.5], True)
    return x + y
