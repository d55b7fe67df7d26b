"""Sharing in corners of the language: right, or refused."""

import torch


def case_inner_writes(x: torch.Tensor):
    y = x.clone()
    z = y.view(-1)

    def inner():
        y[0] = 1  # T2J301

    inner()
    return z, y


def case_inner_writes_view(x: torch.Tensor):
    y = x.clone()
    z = y.view(-1)

    def inner():
        z[0] = 1  # T2J301

    inner()
    return z, y


def case_lambda(x: torch.Tensor):
    y = x.clone()
    f = lambda: y.add_(1)  # T2J302
    f()
    return y


def case_default_argument(x: torch.Tensor):
    y = x.clone()

    def inner(v=y):
        return v.sum()

    y.add_(1)  # T2J303
    return inner()


def case_list_comprehension(x: torch.Tensor):
    y = x.clone()
    rows = [r for r in y]
    y.add_(1)  # T2J301
    return rows


def case_list_comprehension_inplace(x: torch.Tensor):
    y = x.clone()
    rows = [r.add_(1) for r in y]  # T2J302
    return rows, y


def case_dict_comp_views(x: torch.Tensor):
    y = x.clone()
    d = {i: y[i] for i in range(2)}
    d[0].zero_()  # T2J301
    return y


def case_zip_star(x: torch.Tensor, y: torch.Tensor):
    a, b = x.clone(), y.clone()
    pairs = list(zip(a, b))
    for p, q in pairs:
        p.add_(q)  # T2J301
    return a


def case_tuple_return_unpack(x: torch.Tensor):
    def both(v):
        return v, v

    y = x.clone()
    a, b = both(y)
    a.add_(1)  # T2J301
    return b, y


def case_stack(x: torch.Tensor):
    y = x.clone()
    z = torch.stack([y, y])
    y.add_(1)
    return z


def case_while(x: torch.Tensor):
    y = x.clone()
    z = y[0]
    i = 0
    while i < 3:
        z += 1  # T2J301
        if i == 1:
            y = y * 2
        i += 1
    return y, z


def case_try(x: torch.Tensor):
    y = x.clone()
    z = y[0]
    try:
        z += 1
    finally:
        y[1] = 0
    return y, z


def case_with(x: torch.Tensor):
    y = x.clone()
    z = y.view(-1)
    with torch.no_grad():
        z[0] = 3
        y[1] = z[0]
    return y, z


def case_conditional_rebind(x: torch.Tensor, flag: bool):
    y = x.clone()
    z = y
    if flag:
        z = y.clone()
    z += 1  # T2J301
    return y, z


def case_continue(x: torch.Tensor):
    y = x.clone()
    v = y[0]
    for i in range(3):
        if i == 1:
            v = y[1]
            continue
        v += 1  # T2J301
    return y, v


def case_swap_in_loop(x: torch.Tensor, y: torch.Tensor):
    a, b = x.clone(), y.clone()
    for i in range(3):
        a += 1  # T2J301
        a, b = b, a
    return a, b


def case_early(x: torch.Tensor, flag: bool):
    y = x.clone()
    z = y[0]
    if flag:
        z.zero_()
        return y
    z.fill_(1)
    return y, z


def case_global_ternary(x: torch.Tensor, flag: bool):
    y = x.clone()
    (y if flag else x.clone()).add_(1)  # T2J301
    return y


def case_walrus(x: torch.Tensor):
    y = x.clone()
    if (z := y[0]).sum() > -100:
        z += 1
    return y


def case_star(x: torch.Tensor):
    y = x.clone()
    first, *rest = y
    first += 1  # T2J301
    rest[0].zero_()  # T2J301
    return y


def case_append_then(x: torch.Tensor):
    y = x.clone()
    out = []
    for i in range(2):
        out.append(y[i])
    y += 1  # T2J301
    return out


def case_append_view_loop(x: torch.Tensor):
    out = []
    y = x.clone()
    for i in range(2):
        y = y + 1
        out.append(y)
        y[0] = 0  # T2J301
    return out


def case_dict_set(x: torch.Tensor):
    d = {}
    y = x.clone()
    d["k"] = y
    y[0] = 5
    d["k"][1] = 7
    return d["k"], y


def case_nested_lists(x: torch.Tensor):
    y = x.clone()
    ll = [[y], [x.clone()]]
    y += 1
    ll[0][0][0] = 9
    return ll, y


def case_list_mult(x: torch.Tensor):
    l = [x.clone()] * 2
    l[0].add_(1)  # T2J301
    return l


def case_sorted_list(x: torch.Tensor):
    a, b = x.clone(), x * 2
    l = [a, b]
    l.reverse()
    a += 1  # T2J301
    return l


def case_extend(x: torch.Tensor):
    a = x.clone()
    l = []
    l.extend([a, a])
    a += 1  # T2J301
    return l


def case_pop(x: torch.Tensor):
    l = [x.clone(), x * 2]
    a = l.pop()
    a += 1
    return l, a


def case_max_out(x: torch.Tensor):
    y = x.clone()
    m = y.max(dim=1).values
    m += 1
    return y, m


def case_real(x: torch.Tensor):
    y = x.clone()
    y.real.add_(1)  # T2J301
    return y


def case_index_put(x: torch.Tensor):
    y = x.clone()
    z = y.flatten()
    z.index_fill_(0, torch.tensor([0, 1]), 7)
    return y, z


def case_chunk_list(x: torch.Tensor):
    y = torch.cat([x, x])
    parts = y.chunk(2)
    parts[0].add_(1)  # T2J301
    return y


def case_chunk_loop(x: torch.Tensor):
    y = torch.cat([x, x])
    for part in y.chunk(2):
        part.add_(1)  # T2J301
    return y


def case_unbind_loop(x: torch.Tensor):
    y = x.clone()
    for i, row in enumerate(y.unbind(0)):
        row.add_(i)
    return y


def case_rows_of_T(x: torch.Tensor):
    y = x.clone()
    for col in y.t():
        col.add_(1)
    return y


def case_out_view(x: torch.Tensor):
    y = torch.zeros(2, 2, 3)
    torch.mul(x, 2, out=y[0])
    z = y[1]
    torch.add(x, 1, out=z)
    return y


def case_copy_self(x: torch.Tensor):
    y = x.clone()
    z = y[0]
    y[1].copy_(z)
    z.copy_(y[1] + 1)
    return y, z


def case_variable_given_by_an_inner_function(x: torch.Tensor):
    y = x.clone()

    def given():
        return y

    h = given()

    def change():
        h.add_(1)  # T2J301, T2J303

    change()
    return h, y


def case_new_tensor_made_by_an_inner_function(x: torch.Tensor):
    y = x.clone()

    def doubled():
        return y * 2

    h = doubled()

    def change():
        h.add_(1)

    change()
    return h, y
