"""Tensors in lists, tuples and dicts."""

import torch


def case_slots(x: torch.Tensor, y: torch.Tensor):
    parts = [x.clone(), y.clone()]
    parts[0].neg_()
    parts[1][0] = 1
    parts[1] += 2
    parts[-1].mul_(2)
    return parts


def case_slots_with_names(x: torch.Tensor, y: torch.Tensor):
    a, b = x.clone(), y.clone()
    parts = [a, b]
    parts[0].add_(1)
    b[0] = 3
    return a, b, parts


def case_dict(x: torch.Tensor):
    d = {"a": x.clone(), "b": x * 2}
    d["a"] += 1
    d["b"][0] = 0
    d["b"].clamp_(min=0)
    return d["a"], d["b"]


def case_dict_and_names(x: torch.Tensor):
    a = x.clone()
    d = {"a": a}
    d["a"] += 1
    e = d
    a[0] = 0
    return a, e["a"]


def case_loop_over_a_list():
    buffers = [torch.ones(2) for _ in range(3)]
    for t in buffers:
        t.mul_(3)
    buffers[0][1] = 7
    return buffers


def case_enumerated_list(x: torch.Tensor):
    buffers = [torch.zeros(2, 3) for _ in range(2)]
    for i, t in enumerate(buffers):
        t.add_(x, alpha=i + 1)
    return buffers


def case_zipped_lists(x: torch.Tensor):
    params = [torch.ones(2, 3) for _ in range(2)]
    grads = [x * (i + 1) for i in range(2)]
    for p, g in zip(params, grads):
        p.sub_(g, alpha=0.5)
    return params


def case_dict_of_buffers():
    stats = {name: torch.zeros(2) for name in ("a", "b")}
    for name, value in stats.items():
        value += len(name)
    return stats["a"], stats["b"]


def case_appended(x: torch.Tensor):
    history = []
    h = x.clone()
    history.append(h)
    h += 1
    return history, h


def case_appended_in_a_loop(x: torch.Tensor):
    history = []
    h = x.clone()
    for _ in range(3):
        h += 1  # T2J301
        history.append(h)
    return history


def case_copies_appended_in_a_loop(x: torch.Tensor):
    history = []
    h = x.clone()
    for _ in range(3):
        h += 1
        history.append(h.clone())
    return history


def case_tuple(x: torch.Tensor, y: torch.Tensor):
    pair = (x.clone(), y.clone())
    pair[0].add_(1)
    return pair


def case_tuple_with_names(x: torch.Tensor, y: torch.Tensor):
    a, b = x.clone(), y.clone()
    pair = (a, b)
    a.add_(1)
    return pair, b


def case_nested(x: torch.Tensor):
    cache = {"k": [x.clone(), x * 2]}
    cache["k"][1].zero_()
    return cache["k"][0], cache["k"][1]


def case_one_list_twice(x: torch.Tensor):
    a = [x.clone()]
    b = a
    b[0] += 1
    return a, b


def case_same_tensor_in_two_slots(x: torch.Tensor):
    a = x.clone()
    both = [a, a]
    both[0].mul_(2)
    return both


def case_slot_under_a_name(x: torch.Tensor):
    parts = [x.clone(), x * 2]
    first = parts[0]
    first[0] = 1
    return parts


def case_views_in_a_list(x: torch.Tensor):
    y = x.clone()
    rows = [y[0], y[1]]
    rows[1].zero_()
    return y


def case_state_of_an_optimizer(v: torch.Tensor):
    state = {"exp_avg": torch.zeros(3), "step": 0}
    for _ in range(2):
        exp_avg = state["exp_avg"]
        exp_avg.mul_(0.9).add_(v, alpha=0.1)
        state["step"] += 1
    return state["exp_avg"]


def case_given_list(grads: list[torch.Tensor] = ()):
    for g in grads:
        g.mul_(2)  # T2J303
    return len(grads)


def case_loop_over_names(x: torch.Tensor):
    a, b = x.clone(), x * 2
    for t in (a, b):
        t.mul_(2)
        t[0] += 1
    return a, b


def case_loop_over_a_named_list(x: torch.Tensor):
    a, b = x.clone(), x * 2
    both = [a, b]
    for t in both:
        t.mul_(2)
    return a, b, both


def case_counted_slots(x: torch.Tensor):
    parts = [x.clone(), x * 2]
    for i in range(len(parts)):
        parts[i] += 1
        parts[i][0] = 3
        part = parts[i]
        part.mul_(2)
    return parts


def case_keys(x: torch.Tensor):
    a = x.clone()
    d = {"a": a, "b": x * 2}
    for k in d:
        d[k].mul_(2)
    for k, v in d.items():
        v += 1
    return a, d["b"]


# unchanged
def case_rebound_slots(n):
    counts = [0, 1]
    counts[0] += n
    counts[1] = counts[0]
    return counts


# unchanged
def case_replaced_slot(x):
    parts = [x, x]
    parts[0] = parts[0] + 1
    return parts, x


# unchanged
def case_dict_of_numbers(n):
    d = {"loss": 0.0}
    d["loss"] += n
    d.update(n=n)
    return d["loss"], d["n"]


# unchanged
def case_loop_that_only_reads(x):
    parts = [x, x + 1]
    total = 0
    for part in parts:
        total = total + part
    return total
