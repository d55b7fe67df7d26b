"""The words of random programs: expressions with holes, each filled with an expression of the kind that it names.

Holes: {A} a tensor, {D} one with dimensions, {F} a floating one, {E} a floating one with dimensions, {I} integers, {M} truth
values, {s} a number, {k} a Python int, {c} a condition, {n} a small literal int, {p} a positive one, {d} a dimension, {L} a
list of tensors. What torch refuses is drawn again.
"""

TENSORS = {
    "arithmetic": """
        {A} + {A}
        {A} - {A}
        {A} * {A}
        {F} / {p}
        {I} / {p}
        {A} + {k}
        {A} * {s}
        {k} - {A}
        {s} / ({F}.abs() + 1)
        -{A}
        {A} ** 2
        2 ** {I}.clamp(0, 3)
        {A} // {p}
        {A} % {p}
        {A} @ {A}
        torch.matmul({F}, {F}.T)
        torch.add({A}, {A}, alpha=2)
        {A}.sub({A}, alpha=2)
        {A}.mul({s})
        torch.div({A}, {p}, rounding_mode="floor")
        torch.remainder({A}, {p})
        torch.fmod({A}, {p})
        torch.addcmul({F}, {F}, {F}, value=0.5)
        torch.lerp({F}, {F}, 0.25)
        torch.outer({A}.flatten(), {A}.flatten())
        torch.einsum("i,j->ij", {F}.flatten(), {F}.flatten())
    """,
    "elementwise": """
        torch.relu({F})
        F.relu({F})
        {F}.tanh()
        torch.sigmoid({F})
        torch.exp({F}.clamp(max=2))
        {A}.abs()
        {F}.sin()
        {A}.abs().sqrt()
        ({F}.abs() + 1).log()
        torch.where({M}, {A}, {A})
        torch.where({M}, {A}, {s})
        {A}.where({M}, {A})
        {A}.clamp({n}, {p})
        {A}.clamp(min=0)
        torch.maximum({A}, {A})
        torch.minimum({A}, {A})
        {F}.masked_fill({M}, {s})
        {I}.masked_fill({M}, {n})
        {E}.softmax(-1)
        F.log_softmax({E}, dim=-1)
        {F}.floor()
        {F}.round()
        torch.sign({F})
        F.leaky_relu({F}, 0.1)
        F.gelu({F})
        F.dropout({A}, 0.5, training=False)
        F.layer_norm({F}, {F}.shape[-1:])
        F.normalize({E}, dim=-1)
    """,
    "dtypes": """
        {A}.float()
        {A}.long()
        {A}.int()
        {A}.double()
        {A}.bool()
        {A}.to(torch.float64)
        {M}.to(torch.uint8)
        {A}.to({A}.dtype)
        {A}.type_as({A})
        {A}.to({A})
        {A} == {A}
        {A} > {s}
        {A} <= {A}
        {A}.ne({n})
        ~{M}
        {M} & {M}
        {M} | {M}
        {M} ^ {M}
        {I} & {n}
        torch.logical_and({A}, {A})
        {A}.isfinite()
    """,
    "reductions": """
        {A}.sum()
        {D}.sum({d})
        {D}.sum(dim={d}, keepdim=True)
        {F}.mean()
        {E}.mean({d})
        {D}.float().mean(dim={d}, keepdim=True)
        {A}.max()
        {D}.max({d}).values
        {D}.max({d})[0]
        {D}.amin({d})
        {D}.min({d})[1]
        {E}.var({d}, unbiased=False)
        {F}.std()
        {A}.prod()
        {D}.cumsum({d})
        {M}.any()
        {M}.all({d})
        {M}.sum()
        {F}.norm()
        {D}.sort({d}).values
        {D}.argmax({d})
        {D}.topk(1, dim={d}).values
        {A}.median()
        {E}.logsumexp({d})
        {A}.count_nonzero()
        torch.diff({A})
    """,
    "shapes": """
        {D}.reshape(-1)
        {D}.view(-1)
        {A}.T
        {A}.t()
        {D}.transpose(0, 1)
        {D}.unsqueeze({d})
        {A}.squeeze()
        {D}.squeeze({d})
        {A}.flatten()
        torch.stack([{A}, {A}])
        torch.cat([{A}, {A}])
        torch.cat([{D}, {D}], dim={d})
        torch.stack(({D}, {D}), dim={d})
        {A}.expand(2, -1)
        {A}.repeat(2, 1)
        {D}.flip(0)
        {D}.roll(1, {d})
        {A}.permute(1, 0)
        {D}.narrow(0, 0, 1)
        {D}.chunk(2)[0]
        {A}.split(1)[-1]
        {D}.unbind(0)[0]
        {A}.tril()
        {A}.diagonal()
        {A}.repeat_interleave(2, dim=0)
        {A}.contiguous()
        {A}.detach()
        {A}.clone()
    """,
    "indexing": """
        {A}[0]
        {A}[-1]
        {A}[{n}]
        {A}[:, 0]
        {A}[1:]
        {A}[::2]
        {A}[:{p}]
        {A}[..., 0]
        {A}[..., -1]
        {A}[None]
        {A}[:, None]
        {A}[{M}]
        {A}[{A} > {s}]
        {A}[[0, 1]]
        {A}[:, [1, 0]]
        {A}[torch.tensor([0, 1, 0])]
        {A}[{k}]
        {A}[0, 1]
        {A}[0][1]
        {A}[-1, :]
        {A}[1:, :-1]
        {D}.index_select(0, torch.tensor([1, 0]))
        {D}.gather(0, torch.zeros_like({D}).long())
        torch.take({A}, torch.tensor([0, 1]))
        {A}[torch.arange(2), torch.tensor([1, 0])]
    """,
    "creation": """
        torch.arange({p})
        torch.arange({p}).float()
        torch.zeros(2, 3)
        torch.zeros(3)
        torch.ones_like({A})
        torch.full((3,), {s})
        torch.full_like({A}, {n})
        torch.zeros_like({A}, dtype=torch.float32)
        {A}.new_zeros(3)
        {A}.new_tensor([1, 2, 3])
        torch.tensor([1.0, 2.0, 3.0])
        torch.tensor([[1, 2, 3], [4, 5, 6]])
        torch.tensor({k})
        torch.tensor([{s}, {s}])
        torch.eye(3)
        torch.linspace(0, 1, 3)
        torch.tensor([True, False, True])
        torch.ones({A}.shape)
        torch.as_tensor({A})
    """,
    "python": """
        ({A} if {c} else {A})
        (lambda q: q * 2)({A})
        (lambda q, r={n}: q + r)({A})
        sum([row for row in {A}])
        sum(row * 2 for row in {A})
        torch.stack([row + i for i, row in enumerate({A})])
        torch.stack([p * q for p, q in zip({A}, {A})])
        torch.stack([row for row in {A} if row.sum() > {s}] or [torch.zeros(3)])
        {L}[0]
        {L}[-1]
        torch.stack({L})
        torch.cat({L})
        sum({L})
        torch.stack([*{L}])
        torch.stack([e * 2 for e in {L}])
        max({L}, key=lambda e: e.sum().item())
        torch.tensor([e.sum().item() for e in {L}])
        torch.tensor({A}.tolist())
        dict(a={A}, b={A})["b"]
        ({A}, {A})[{k} > 1]
    """,
    "draws": """
        (torch.rand(2, 3) < 2).float()
        (torch.rand(3) == torch.rand(3)).any()
        torch.randperm(3).sort().values
        F.dropout({F}, 0.0)
        (F.dropout({F}, 0.5) * 0)
        torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), 1)
        torch.bernoulli(torch.ones(3))
        torch.randint(2, 3, (3,))
        (torch.randn_like({F}) == torch.randn_like({F})).any()
        torch.normal({F}, 0.0)
        (torch.rand_like({F}) >= 0)
        ({F} + torch.randn(3) * 0)
    """,
}
"""Family -> expressions whose value is a tensor."""

NUMBERS = """
    {n}
    {p}
    0.5
    -1.5
    2.25
    {A}.sum().item()
    float({A}.max())
    {k}
    {k} * 0.5
    math.pi
    max({s}, {n})
    round({s}, 1)
    ({s} if {c} else {s})
"""
"""Expressions whose value is a Python number."""

INTEGERS = """
    {n}
    {p}
    {p}
    len({A})
    {A}.shape[0]
    {A}.shape[-1]
    {A}.size(0)
    {A}.size(-1)
    {A}.numel()
    {A}.dim()
    {A}.ndim
    len({L})
    int({A}.sum())
    {A}.argmax().item()
    ({k} + {k})
    ({k} * 2)
    ({k} // 2)
    ({k} % 3)
    min({k}, {p})
    abs({k})
    ({k} if {c} else {n})
    int({c})
"""
"""Expressions whose value is a Python int."""

CONDITIONS = """
    {A}.sum() > {s}
    {F}.mean() < {s}
    {k} > {n}
    {k} == {p}
    0 < {k} <= 2
    bool({M}.any())
    {M}.all()
    {A}.dim() == {p}
    {A}.shape[0] > 1
    {A}.max() >= {A}.min()
    (not {c})
    ({c} and {c})
    ({c} or {c})
    len({L}) > 1
    torch.equal({A}, {A})
    isinstance({A}, torch.Tensor)
    {A}.dtype == torch.bool
    {A}.is_floating_point()
    {A}.shape == {A}.shape
    {k} in (1, 2)
    {A}.numel() > 3
    {A}.flatten()[0] > {s}
"""
"""Expressions that `if` asks."""

INPLACE = """
    add_({A})
    add_({s})
    add_({A}, alpha=2)
    sub_({s})
    mul_({s})
    mul_({A})
    div_(2)
    zero_()
    fill_({s})
    copy_({A})
    clamp_(min=0)
    clamp_({n}, {p})
    neg_()
    abs_()
    relu_()
    pow_(2)
    sigmoid_()
    tanh_()
    floor_()
    masked_fill_({M}, {s})
    masked_fill_({A} > {s}, {n})
    index_fill_(0, torch.tensor([0]), {s})
    index_add_(0, torch.tensor([0, 0]), {A})
    index_copy_(0, torch.tensor([1, 0]), {A})
    scatter_(0, torch.tensor([1, 0]), {A})
    scatter_(0, torch.tensor([1, 0]), {s})
    scatter_add_(0, torch.tensor([1, 1]), {A})
    index_put_((torch.tensor([0, 1]),), {A})
    masked_scatter_({M}, torch.arange(1, 13))
    masked_scatter_({M}, torch.ones(3, 4))
    addcmul_({F}, {F})
    lerp_({F}, 0.5)
    fill_diagonal_(0)
    t_()
    unsqueeze_(0)
    squeeze_()
    transpose_(0, 1)
    ge_({s})
    logical_not_()
    remainder_({p})
    cumsum_(0)
    triu_()
    mul_(2).add_({A})
    clamp_(min=0).sub_({s})
"""
"""Methods that change their tensor."""

INDICES = """
    0
    -1
    {k}
    {n}
    :
    ...
    1:
    :-1
    ::2
    0, 1
    0, -1
    :, 0
    :, 1:
    1, :2
    ..., 0
    {M}
    {T} > {s}
    {T} == {T}.max()
    [0, 1]
    [1, 0], [0, 1]
    torch.tensor([0, 1])
    torch.tensor([1, 0]), 0
    :, [0, 1]
    torch.arange(2), torch.tensor([0, 1])
    (0, 1)
    slice(0, 1)
    None, 0
    :, torch.tensor([True, False, True])
    {T}.argmax()
"""
"""What stands in brackets where a tensor is written to; {T} is that tensor."""

OUT = """
    torch.add({A}, {A}, out={T})
    torch.mul({A}, {s}, out={T})
    torch.sub({A}, {A}, out={T})
    torch.exp({F}.clamp(max=1), out={T})
    torch.maximum({A}, {A}, out={T})
    torch.clamp({A}, 0, 1, out={T})
    F.relu({T}, inplace=True)
    F.leaky_relu({T}, 0.1, inplace=True)
    torch.relu_({T})
    nn.ReLU(inplace=True)({T})
"""
"""Calls that write to {T}."""

ALIASES = """
    {T}
    {T}[0]
    {T}[1:]
    {T}[..., 0]
    {T}.view(-1)
    {T}.T
    {T}.detach()
    {T}.data
    {T}.flatten()
    {T}.reshape(-1)
    {T}.unsqueeze(0)
    {T}.contiguous()
    {T}.float()
    {T}.to({T}.dtype)
    {T}.transpose(0, -1)
    {T}.squeeze()
    {T}.expand(2, -1)
    {T}.chunk(2)[0]
    {T}.unbind(0)[-1]
    {T}.narrow(0, 0, 1)
    {T}.diagonal()
    {T}.permute(1, 0)
    {T}.requires_grad_(False)
    {T}.clone()
    torch.as_tensor({T})
    {T}.view_as({T})
    {T}.expand_as({T})
"""
"""What shares the memory of {T}, or only seems to."""

LITERALS = {
    "n": ("-2", "-1", "0", "1", "2", "3"),
    "p": ("1", "2", "3", "4"),
    "d": ("0", "1", "-1", "-1", "-2"),
}


def lines(text: str) -> tuple[str, ...]:
    """The entries of a table."""
    return tuple(line.strip() for line in text.strip().splitlines())
