"""Parameters that are not trained: requires_grad set to False from inside and outside of modules."""

import copy

import torch
import torch.nn.functional as F
from torch import Tensor, nn, optim


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.eye_(self.fc.weight)
        nn.init.constant_(self.fc.bias, 0.25)

    def forward(self, x):
        return torch.tanh(self.fc(x))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(3, 2)
        nn.init.constant_(self.head.weight, 0.5)
        nn.init.constant_(self.head.bias, -0.5)

    def forward(self, x):
        return self.head(self.backbone(x))


class FrozenInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        for p in self.backbone.parameters():
            p.requires_grad = False
        self.head = nn.Linear(3, 2)
        nn.init.constant_(self.head.weight, 0.5)
        nn.init.constant_(self.head.bias, -0.5)

    def forward(self, x):
        return self.head(self.backbone(x))


class FrozenByMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.requires_grad_(False)
        self.head = nn.Linear(3, 2)
        nn.init.constant_(self.head.weight, 0.5)
        nn.init.constant_(self.head.bias, -0.5)

    def forward(self, x):
        return self.head(self.backbone(x))


class Distilled(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = Classifier()
        self.teacher = Classifier()
        self.teacher.requires_grad_(False)

    def forward(self, x):
        with torch.no_grad():
            wanted = self.teacher(2 * x)
        return F.mse_loss(self.student(x), wanted)


def train(model, optimizer, x, steps):
    target = torch.ones(x.shape[0], 2)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
    return model


def case_frozen_in_init(x: Tensor):
    model = FrozenInside()
    optimizer = optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.backbone.fc.bias, model.head.weight


def case_frozen_in_init_by_method(x: Tensor):
    model = FrozenByMethod()
    optimizer = optim.SGD(model.parameters(), lr=0.1, weight_decay=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.head.weight, model.head.bias


def case_frozen_teacher_in_module(x: Tensor):
    model = Distilled()
    optimizer = optim.AdamW(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(x)
        loss.backward()
        optimizer.step()
    return model.teacher.head.weight, model.student.head.weight, model.student.backbone.fc.weight


def case_frozen_from_outside(x: Tensor):
    model = Classifier()
    for p in model.backbone.parameters():
        p.requires_grad = False
    optimizer = optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_frozen_by_method_from_outside(x: Tensor):
    model = Classifier()
    model.backbone.requires_grad_(False)
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_trained_ones_filtered(x: Tensor):
    model = Classifier()
    for p in model.backbone.parameters():
        p.requires_grad_(False)
    optimizer = optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_trained_ones_listed(x: Tensor):
    model = Classifier()
    for param in model.parameters():
        param.requires_grad = False
    for param in model.head.parameters():
        param.requires_grad = True
    optimizer = optim.Adam([p for p in model.parameters() if p.requires_grad], lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.weight, model.head.weight


def case_frozen_by_name(x: Tensor):
    model = Classifier()
    for name, p in model.named_parameters():
        if "bias" in name:
            p.requires_grad = False
    optimizer = optim.AdamW(model.parameters(), lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_frozen_unless_named(x: Tensor):
    model = Classifier()
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("head.")
    optimizer = optim.AdamW(model.parameters(), lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_flags_given_to_a_method(x: Tensor):
    model = Classifier()
    for name, p in model.named_parameters():
        p.requires_grad_(name.startswith("head."))
    optimizer = optim.AdamW(model.parameters(), lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_some_flags_given_to_a_method(x: Tensor):
    model = Classifier()
    for name, p in model.named_parameters():
        if name.endswith("bias"):
            p.requires_grad_(False)
        else:
            p.requires_grad_()
    optimizer = optim.AdamW(model.parameters(), lr=0.1)
    train(model, optimizer, x, 3)
    return model.backbone.fc.bias, model.backbone.fc.weight, model.head.bias


def case_frozen_copy(x: Tensor):
    model = Classifier()
    target = copy.deepcopy(model)
    for p in target.parameters():
        p.requires_grad = False
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    train(model, optimizer, x, 2)
    return target.head.weight, model.head.weight


def case_frozen_and_only_called(x: Tensor):
    model = Classifier()
    model.requires_grad_(False)
    return model(x)


def case_frozen_and_clipped(x: Tensor):
    model = FrozenInside()
    optimizer = optim.SGD(model.parameters(), lr=1.0)
    target = torch.ones(x.shape[0], 2)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
    return model.backbone.fc.weight, model.head.weight


def case_counted(x: Tensor):
    model = FrozenInside()
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    return sum(p.numel() for p in model.parameters()), trained


def case_counted_where_all_are_trained():
    model = Classifier()
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def case_read_back():
    model = Classifier()
    return [p.requires_grad for p in model.parameters()]
