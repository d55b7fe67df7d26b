"""Every form of index as the target of a store."""

import torch


def case_numbers(x: torch.Tensor):
    y = x.clone()
    y[0] = 1
    y[-1] = 2
    y[1, -1] = 3
    y[0][1] = 4
    y[0][1] += 4
    return y


def case_slices(batch: torch.Tensor):
    y = batch.clone()
    y[:1] = 0
    y[:, 1:] *= 2
    y[..., ::2] = 3
    y[:, -2:, 1] -= 1
    y[1, ..., 0] = 5
    return y


def case_none(x: torch.Tensor, v: torch.Tensor):
    y = x.clone()
    y[None, 0] = v
    y[:, None, 1] = 7
    return y


def case_whole(x: torch.Tensor):
    y = x.clone()
    y[:] = 2
    y[...] += 1
    return y


def case_masks(x: torch.Tensor, mask: torch.Tensor):
    y = x.clone()
    y[mask] = 0
    y[y > 0.2] *= 2
    y[~mask] += 1
    y[x.sum(1) > 0] = 5
    y[0, mask[0]] = 6
    return y


def case_values_of_a_mask(x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor):
    z = x.clone()
    small = z < 0
    z[small] = y[small]
    z[small] = z[small] * 2 + y[small]
    z[small] = -y[small] / 2
    return z


def case_values_in_order(x: torch.Tensor, y: torch.Tensor):
    z = x.clone()
    small = z < 0
    z[small] = torch.arange(2.0)
    rows = z.sum(1) > -100
    z[rows] = y + 1
    z[rows] = y[0] * 1
    z[z > 2] = torch.tensor([5.0])
    return z


def case_integer_tensors(square: torch.Tensor, index: torch.Tensor):
    y = square.clone()
    y[index] = 0
    y[:, index] += 1
    y[index, 1] = 9
    y[index, index] = 3
    y[torch.arange(3), torch.tensor([0, 2, 1])] *= 2
    return y


def case_lists_and_tuples(square: torch.Tensor):
    y = square.clone()
    y[[0, 2]] = 1
    y[[0, 1], [1, 2]] = 5
    y[(1, 1)] = 6
    place = (2, 0)
    y[place] = 7
    return y


def case_slice_objects(square: torch.Tensor):
    y = square.clone()
    some = slice(0, 2)
    y[some] = 1
    y[some, slice(None, None, 2)] += 2
    return y


def case_repeated_indices(v: torch.Tensor):
    y = v.clone()
    i = torch.tensor([0, 0, 1])
    y[i] += 1
    y[i] *= 2
    return y


def case_repeated_list(v: torch.Tensor):
    y = v.clone()
    y[[0, 0, 1]] += 1
    return y


def case_zero_dimensional_index(x: torch.Tensor):
    y = x.clone()
    i = x.argmax()
    y.view(-1)[i] = 0
    y[y[:, 0].argmax()] = 1
    return y


def case_index_methods(square: torch.Tensor, index: torch.Tensor):
    y = square.clone()
    y.index_fill_(0, index, -1.0)
    y.index_add_(0, index, torch.ones(2, 3))
    y.index_copy_(1, index, torch.zeros(3, 2))
    y.index_put_((index, index), torch.tensor([4.0, 5.0]))
    y.index_put_((torch.tensor([0, 0]),), torch.ones(3), accumulate=True)
    return y


def case_scatter_methods(square: torch.Tensor):
    y = square.clone()
    i = torch.tensor([[0, 2, 1]])
    y.scatter_(0, i, 7.0)
    y.scatter_add_(1, i, torch.ones(1, 3))
    y.scatter_reduce_(0, i, torch.full((1, 3), 2.0), reduce="amax")
    return y


def case_masked_methods(x: torch.Tensor, mask: torch.Tensor):
    y = x.clone()
    y.masked_fill_(mask, 3.0)
    y.masked_scatter_(~mask, torch.arange(6.0))
    return y


def case_index_methods_of_views(square: torch.Tensor, index: torch.Tensor):
    y = square.clone()
    z = y.T
    z.index_fill_(0, index, -1.0)
    z.masked_fill_(z > 2, 0.0)
    y[1].scatter_(0, index, 8.0)
    return y


def case_copies_are_written(x: torch.Tensor):
    y = x.clone()
    mask = y > 0
    y[mask][0] = 100
    y[[0, 1]][0] = 100
    y.clone()[0] = 100
    (y + 1)[0] = 100
    y[mask].zero_()
    return y


def case_swapped_rows(x: torch.Tensor):
    y = x.clone()
    y[[0, 1]] = y[[1, 0]]
    first = y[0].clone()
    y[0] = y[1]
    y[1] = first
    return y


def case_shifted(v: torch.Tensor):
    y = torch.cat([v, v])
    y[1:4] = y[0:3].clone()
    return y


def case_cast_on_the_way(tokens: torch.Tensor):
    y = tokens.clone()
    y[0] = 1.7
    y[1] += 2
    return y


def case_stores_from_views(square: torch.Tensor):
    y = square.clone()
    y[0] = y[:, 1]
    y[:, 2] = y.diagonal()
    return y


# unchanged
def case_lists(n):
    values = [0] * 5
    values[1:3] = [n, n]
    values[-1] += 2
    return values
