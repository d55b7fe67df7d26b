"""Views that are written to: what they are cut from sees it, and so do other views of it."""

import torch


def case_flat_view():
    y = torch.zeros(2, 3)
    z = y.view(-1)
    z[1] = 5
    return y


def case_both_are_read(x: torch.Tensor):
    y = x.clone()
    z = y.view(-1)
    z[1] = 5
    z += 1
    y[0, 0] = 3
    return y, z


def case_row(x: torch.Tensor):
    y = x.clone()
    first = y[0]
    first.add_(1).mul_(2)
    return y


def case_column(x: torch.Tensor):
    y = x.clone()
    column = y[:, 1]
    column *= 3
    return y, column


def case_transposed(x: torch.Tensor):
    y = x.clone()
    t = y.T
    t[1, 0] = 7
    t[0] += 1
    return y


def case_permuted(batch: torch.Tensor):
    y = batch.clone()
    p = y.permute(2, 0, 1)
    p[0, 1] = 9.0
    return y, p


def case_swapped(batch: torch.Tensor):
    y = batch.clone()
    heads = y.transpose(1, 2)
    heads[:, 0] -= 1
    return y


def case_squeezed(v: torch.Tensor):
    y = v.clone().unsqueeze(0)
    z = y.squeeze(0)
    z[0] = 4
    w = z.unsqueeze(-1)
    w.mul_(2)
    return y, z


def case_narrowed(batch: torch.Tensor):
    y = batch.clone()
    y.narrow(1, 1, 2).zero_()
    z = y.narrow(2, 0, 2)
    z.add_(1)
    return y


def case_selected(batch: torch.Tensor):
    y = batch.clone()
    z = y.select(1, 0)
    z.fill_(2)
    w = y.select(-1, 3)
    w[0] = 5
    return y


def case_diagonal(square: torch.Tensor):
    y = square.clone()
    d = y.diagonal()
    d += 10
    return y


def case_diagonal_zeroed(square: torch.Tensor):
    kernel = square @ square.T
    kernel.diagonal().zero_()
    return kernel


def case_chunks(x: torch.Tensor):
    y = torch.cat([x, x])
    a, b = y.chunk(2)
    a.add_(1)
    b[0] = 0
    return y


def case_chunks_along_columns(batch: torch.Tensor):
    y = batch.clone()
    left, right = y.chunk(2, dim=-1)
    left.mul_(2)
    return y, right


def case_splits(v: torch.Tensor):
    y = torch.cat([v, v])
    a, b = y.split(3)
    b.neg_()
    y.mul_(2)
    return y, a, b


def case_unbound(x: torch.Tensor):
    y = x.clone()
    first, second = y.unbind(0)
    second += first
    return y


def case_unpacked_rows(x: torch.Tensor):
    y = x.clone()
    first, second = y
    first.zero_()
    return y, second


def case_detached(x: torch.Tensor):
    y = x.clone()
    z = y.detach()
    z[0] = 1
    return y


def case_data(x: torch.Tensor):
    y = x.clone()
    y.data[0] = 1
    z = y.data
    z += 1
    return y


def case_view_of_a_view(batch: torch.Tensor):
    y = batch.clone()
    z = y[1]
    w = z.view(-1)
    w[2] = 5
    return y, z


def case_overlapping_views(v: torch.Tensor):
    y = v.clone()
    a = y[0:2]
    b = y[1:3]
    a.add_(1)
    return a, b


def case_written_base(v: torch.Tensor):
    y = v.clone()
    a = y[:2]
    y *= 2
    s = a.sum()
    y.add_(1)
    return s, y


def case_halves_of_a_matrix(square: torch.Tensor):
    y = square.clone()
    upper, lower = y[:1], y[1:]
    upper.mul_(2)
    lower.mul_(3)
    return y


def case_written_in_a_loop(x: torch.Tensor):
    y = x.clone()
    flat = y.view(-1)
    for i in range(flat.numel()):
        flat[i] = flat[i] * i
    return y


def case_both_in_a_loop(x: torch.Tensor):
    y = x.clone()
    flat = y.view(-1)
    for i in range(2):
        flat[i] += 1
        y[1, i] = flat[i]
    return y, flat


def case_in_one_branch(x: torch.Tensor, flag: bool):
    y = x.clone()
    z = y[0]
    if flag:
        z.zero_()
    else:
        y.fill_(1)
    return y, z


def case_view_only_in_one_branch(x: torch.Tensor, flag: bool):
    y = x.clone()
    if flag:
        z = y[0]
        z += 1
    return y


def case_through_a_view(x: torch.Tensor):
    y = x.clone()
    y.view(-1)[4] = 8
    y.T[0, 1] = 2
    y.reshape(3, 2)[1].zero_()
    y.t().mul_(2)
    return y


def case_slice_of_a_slice(batch: torch.Tensor):
    y = batch.clone()
    y[0:2][1] = 3
    y[:, 1:][0, :, 2] = 4
    return y


def case_expanded_is_read(v: torch.Tensor):
    y = v.clone()
    wide = y.expand(2, 3)
    y[0] = 5
    return wide


def case_expanded_is_written(v: torch.Tensor):
    y = v.clone()
    wide = y.expand(2, 3)
    wide[0] = 5  # T2J301
    return y


def case_view_or_copy(x: torch.Tensor):
    y = x.clone()
    z = y.T.reshape(-1)
    z[0] = 5  # T2J301
    return y


def case_view_of_one_or_the_other(x: torch.Tensor, y: torch.Tensor, flag: bool):
    a, b = x.clone(), y.clone()
    z = a if flag else b
    z[0] = 1  # T2J301
    return a, b


def case_shape_of_the_view_itself(batch: torch.Tensor):
    h = batch * 2
    h = h.view(h.size(0), -1)
    h[0] = 0
    return h


# unchanged
def case_only_read(x):
    top = x[0]
    bottom = x[1]
    return top + bottom, x


# unchanged
def case_other_names_for_numbers(n):
    a = n
    b = a
    b += 1
    return a, b


def case_part_of_part_of_part(x: torch.Tensor):
    x = x.clone()
    column = x.transpose(0, 1)[1]
    first = column[0]
    first += 1
    column[1:] *= 3
    return x, column


def case_split_columns(x: torch.Tensor):
    x = x.clone()
    column = x.hsplit(3)[1]
    column += 1  # T2J301
    return x


def case_conjugate(x: torch.Tensor):
    y = x.clone()
    z = y.conj_physical()
    z += 1  # T2J301
    return y
