"""Two names for one tensor, and copies that only look like it."""

import torch


def case_second_name(x: torch.Tensor):
    a = x.clone()
    b = a
    b += 1
    return a, b


def case_second_name_of_several(x: torch.Tensor):
    a = b = x * 2
    a.mul_(2)
    c = b
    c[0] = 0
    return a, b, c


def case_name_taken_away(x: torch.Tensor):
    a = x.clone()
    b = a
    a = a + 1
    b += 5
    return a, b


def case_saved_before(x: torch.Tensor):
    h = x * 1
    residual = h
    h += 1
    return h + residual


def case_copied_before(x: torch.Tensor):
    h = x * 1
    residual = h.clone()
    h += 1
    return h + residual


def case_previous_step(v: torch.Tensor):
    state = torch.zeros(3)
    previous = state
    for _ in range(3):
        previous = state
        state = state + v
        state[0] = 1
    return state, previous


def case_previous_is_the_same(v: torch.Tensor):
    state = torch.zeros(3)
    for _ in range(3):
        previous = state
        state += v
    return state, previous


def case_swapped(x: torch.Tensor, y: torch.Tensor):
    a, b = x.clone(), y.clone()
    a, b = b, a
    a[0] = 1
    return a, b


def case_result_of_in_place(x: torch.Tensor):
    a = x.clone()
    b = a.add_(1)
    b.mul_(2)
    return a, b


def case_returned_in_place(x: torch.Tensor):
    a = x.clone()
    b = a
    return a.mul_(2), b


def case_inside_an_expression(x: torch.Tensor):
    a = x.clone()
    b = torch.relu_(a) + a
    return a, b


def case_out(x: torch.Tensor, y: torch.Tensor):
    total = torch.zeros(2, 3)
    same = total
    torch.add(x, y, out=total)
    return total, same


def case_functions_in_place(x: torch.Tensor):
    a = x.clone()
    b = a
    torch.relu_(a)
    torch.nn.functional.relu(b, inplace=True)
    b.clamp_(max=1).sub_(0.5)
    return a, b


def case_same_dtype_is_no_copy():
    a = torch.zeros(3)
    b = a.float()
    b += 1
    c = a.double()
    c += 1
    return a, b, c.float()


def case_contiguous_is_no_copy(x: torch.Tensor):
    a = x.clone()
    b = a.contiguous()
    b[0] = 1
    return a


def case_closure_sees_it(x: torch.Tensor):
    a = x.clone()
    b = a

    def total():
        return a.sum()

    b += 1
    return total()


def case_in_place_of_unseen(x: torch.Tensor):
    y = (x + 1).mul_(2).relu_()
    return y


def case_clone_under_its_own_name(x: torch.Tensor):
    x = x.clone()
    x[0] = 1
    return x


def case_detached_clone(x: torch.Tensor):
    best = x.detach().clone()
    best += 1
    return best, x


# unchanged
def case_rebinding(x):
    a = x
    a = a + 1
    return a, x


# unchanged
def case_lists_stay_lists(n):
    a = [1, 2]
    b = a
    b += [n]
    b.append(4)
    return a, b


# unchanged
def case_objects(n):
    counts = {"a": 0}
    other = counts
    other["a"] += n
    return counts


# unchanged
def case_numbers(v):
    total = 0.0
    before = total
    total += 2
    return total, before, v


def case_number_or_tensor(x: torch.Tensor):
    total = 0.0
    for row in x:
        total += row.sum()
    return total


def case_accumulated(x: torch.Tensor):
    total = torch.zeros(3)
    for row in x:
        total += row
    return total


def case_unknown_object(x: torch.Tensor, flag: bool):
    a = x.clone()
    b = a if flag else x + 1
    a += 1  # T2J301
    return a, b


def case_dropout_that_drops(x: torch.Tensor):
    h = x * 2
    y = torch.nn.functional.dropout(h, 0.5) * 0
    y += 1
    z = torch.nn.functional.dropout(h, 0.5)
    z.fill_(2)
    return y, z, h


def case_dropout_of_dead(x: torch.Tensor):
    y = torch.nn.functional.dropout(x * 2, 0.5, False)
    y += 1
    return y
