"""Calls, in all places, of functions that change their arguments."""

import torch
from torch import Tensor


def _bump(t: Tensor, k: float = 1.0) -> Tensor:
    t += k
    return t.sum()


def _clear(t: Tensor):
    t.zero_()


def _scale_(t: Tensor, by: float) -> Tensor:
    return t.mul_(by)


def case_returned(x: Tensor):
    y = x.clone()
    return _bump(y), y


def case_operand(x: Tensor):
    y = x.clone()
    return _bump(y) + y.mean()


def case_operand_behind_others(x: Tensor):
    y = x.clone()
    return y.mean() + _bump(y) * 2 + y.max()


def case_same_object_on_the_left(x: Tensor):
    y = x.clone()
    return y + _bump(y)


def case_two_calls(x: Tensor):
    y = x.clone()
    return _bump(y) - 2 * _bump(y, 3.0), y


def case_nested(x: Tensor):
    y = x.clone()
    s = _bump(_scale_(y, 2.0))
    return s, y


def case_argument_of_another_call(x: Tensor):
    y = x.clone()
    z = torch.stack([_bump(y), y.sum(), _bump(y)])
    return z, y


def case_condition(x: Tensor):
    y = x.clone()
    if float(_bump(y)) > 0:
        y = y * 2
    return y


def case_augmented(x: Tensor):
    y = x.clone()
    total = torch.zeros(())
    total += _bump(y)
    total += _bump(y)
    return total, y


def case_stored(x: Tensor):
    y = x.clone()
    results = torch.zeros(2)
    results[0] = _bump(y)
    results[1] = _bump(y)
    return results, y


def case_attribute_of_result(x: Tensor):
    y = x.clone()
    n = _scale_(y, 2.0).shape[0]
    return y, n


def case_dictionary(x: Tensor):
    d = {"a": x.clone(), "b": x + 1}
    _clear(d["a"])
    s = _bump(d["b"])
    return d["a"], d["b"], s


def case_list_item(x: Tensor):
    items = [x * 1, x * 2]
    s = _bump(items[0])
    _clear(items[1])
    return items, s


def case_none_of_it_read(x: Tensor):
    s = _bump(x * 2)
    return s + _bump(x + 1)


def case_element_of_temporary(x: Tensor):
    return _bump(x.clone()[0])


def case_in_a_branch(x: Tensor, flag: bool):
    y = x.clone()
    if flag:
        _clear(y)
    else:
        _scale_(y, 2.0)
    return y


def case_f_string(x: Tensor):
    y = x.clone()
    text = f"{float(_bump(y)):.1f}"
    return float(text), y


def case_assertion(x: Tensor):
    y = x.clone()
    assert float(_bump(y)) > -100.0
    return y


def case_star(x: Tensor):
    y = x.clone()
    arguments = (y, 2.0)
    s = _bump(*arguments)  # T2J300
    return y, s


def case_short_circuit(x: Tensor, flag: bool):
    y = x.clone()
    seen = flag and float(_bump(y)) > 0  # T2J302
    return y, seen


def case_conditional(x: Tensor, flag: bool):
    y = x.clone()
    s = _bump(y) if flag else y.sum()  # T2J302
    return y, s


def case_comprehension(x: Tensor):
    y = x.clone()
    sums = [_bump(y) for _ in range(3)]  # T2J302
    return y, sums


def case_while(x: Tensor):
    y = x.clone()
    while float(_bump(y)) < 20:  # T2J302
        pass
    return y


def case_lambda(x: Tensor):
    y = x.clone()
    f = lambda: _bump(y)  # T2J302
    return f(), y


def case_same_tensor_twice(x: Tensor):
    y = x.clone()
    _add(y, y)  # T2J303
    return y


def _add(a: Tensor, b: Tensor):
    a += b
    a += b


def case_added_once(x: Tensor, y: Tensor):
    a = x.clone()
    _add(a, y)
    return a


def case_view_of_read_tensor(x: Tensor):
    y = x.clone()
    s = _bump(y.view(-1), 2.0)
    return y, s


def case_transposed(x: Tensor):
    y = x.clone()
    _clear(y.t()[1])
    return y


def case_name_of_a_view(x: Tensor):
    y = x.clone()
    row = y[0]
    s = _bump(row)
    return y, row, s


def case_views_of_the_argument(x: Tensor):
    y = x.clone()
    flat = y.view(-1)
    _clear(y)
    s = _bump(flat, 3.0)
    return y, flat, s


def case_two_names(x: Tensor):
    y = x.clone()
    z = y
    _scale_(y, 2.0)
    return y, z


def case_rows_of_a_list(x: Tensor):
    y = x.clone()
    rows = list(y)
    _bump(rows[0])  # T2J301
    return y, rows[0]


def case_element_held_twice(x: Tensor):
    y = x.clone()
    d = {"y": y}
    _bump(d["y"])
    return d["y"], y


def case_each_of_a_list(x: Tensor):
    items = [x + 1, x + 2]
    for item in items:
        _bump(item)
    return items


def _through_a_view(t: Tensor):
    flat = t.view(-1)
    flat[0] = 9.0
    return flat.sum()


def case_changed_through_a_view(x: Tensor):
    y = x.clone()
    s = _through_a_view(y)
    return y, s


def _step(p: Tensor, g: Tensor, lr: float):
    p.sub_(lr * g)


def _momentum_(m: Tensor, g: Tensor, decay: float = 0.9) -> Tensor:
    return m.mul_(decay).add_(g)


def case_optimizer_by_hand(x: Tensor, y: Tensor):
    params = [x + 0, y + 0]
    momenta = [torch.zeros_like(x), torch.zeros_like(y)]
    for _ in range(2):
        for p, m in zip(params, momenta):
            g = _momentum_(m, p * 2)
            _step(p, g, 0.1)
    return params, momenta


def case_state_in_a_dictionary(x: Tensor):
    state = {"mean": torch.zeros(3), "square": torch.zeros(3)}
    for row in x:
        _momentum_(state["mean"], row)
        _momentum_(state["square"], row * row, decay=0.99)
    return state["mean"], state["square"]


def case_under_no_grad(x: Tensor):
    y = x.clone()
    with torch.no_grad():
        _clear(y[0])
        s = _bump(y)
    return y, s


def case_walrus(x: Tensor):
    y = x.clone()
    if (s := _bump(y)) > 0:
        y = y + s
    return y


def case_generator(x: Tensor):
    y = x.clone()

    def sums():
        for _ in range(2):
            yield _bump(y)

    return list(sums()), y
