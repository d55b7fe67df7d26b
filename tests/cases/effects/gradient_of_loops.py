"""A backward pass without an optimizer over values that are bound before the pass and again within it."""

import torch
import torch.nn as nn


def make():
    cell = nn.Linear(3, 3)
    with torch.no_grad():
        cell.weight.fill_(0.1)
        cell.bias.fill_(0.2)
    return cell


def case_state_of_a_loop(x, v):
    cell = make()
    hidden = torch.zeros(3)
    cell.zero_grad()
    for i in range(x.shape[0]):
        hidden = torch.tanh(cell(x[i] + hidden))
    loss = (hidden - v).pow(2).sum()
    loss.backward()
    return loss.item(), cell.weight.grad


def case_update_by_hand(x, v):
    cell = make()
    losses = []
    for _ in range(3):
        hidden = torch.zeros(3)
        cell.zero_grad()
        for i in range(x.shape[0]):
            hidden = torch.tanh(cell(x[i] + hidden))
        loss = (hidden - v).pow(2).sum()
        loss.backward()
        for p in cell.parameters():
            p.data.add_(p.grad.data, alpha=-0.1)
        losses.append(loss.item())
    return losses, hidden


def case_argument(x, v):
    cell = make()
    v = cell(x[0] + v)
    loss = v.pow(2).sum()
    loss.backward()
    return cell.bias.grad, v


def case_leaf(x, v):
    w = torch.ones(3, requires_grad=True)
    total = torch.zeros(3)
    for i in range(x.shape[0]):
        total = total * w + x[i]
    loss = (total * v).sum()
    loss.backward()
    return w.grad, total
