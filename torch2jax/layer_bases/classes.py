"""One class for each layer, to be the base of a program's class; read as text, and translated together with the program.

Parameters, their names, shapes and first values are those of the layer; what a subclass may call or override is there.
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LinearBase(nn.Module):
    """nn.Linear as a base class."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty(out_features, in_features, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_features, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features)
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        output = input @ self.weight.T
        return output if self.bias is None else output + self.bias


class BilinearBase(nn.Module):
    """nn.Bilinear as a base class."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty(out_features, in1_features, in2_features, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_features, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in1_features)
        nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)


class EmbeddingBase(nn.Module):
    """nn.Embedding as a base class."""

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert max_norm is None and not scale_grad_by_freq
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.normal_(self.weight)
        if self.padding_idx is not None:
            with torch.no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input):
        return F.embedding(input, self.weight, self.padding_idx)


class LayerNormBase(nn.Module):
    """nn.LayerNorm as a base class."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.weight = nn.Parameter(torch.ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None
        self.bias = (
            nn.Parameter(torch.zeros(self.normalized_shape, dtype=dtype)) if elementwise_affine and bias else None
        )

    def reset_parameters(self):
        if self.weight is not None:
            nn.init.ones_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNormBase(nn.Module):
    """nn.GroupNorm as a base class."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.weight = nn.Parameter(torch.ones(num_channels, dtype=dtype)) if affine else None
        self.bias = nn.Parameter(torch.zeros(num_channels, dtype=dtype)) if affine else None

    def reset_parameters(self):
        if self.weight is not None:
            nn.init.ones_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class Conv1dBase(nn.Module):
    """nn.Conv1d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros" or not isinstance(padding, str)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) if isinstance(padding, int) else padding
        self.dilation = (dilation,) if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def _conv_forward(self, input, weight, bias):
        if self.padding_mode == "zeros":
            return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        sides = [side for side in reversed(self.padding) for _ in range(2)]
        padded = F.pad(input, sides, mode=self.padding_mode)
        return F.conv1d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv2dBase(nn.Module):
    """nn.Conv2d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros" or not isinstance(padding, str)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) * 2 if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) * 2 if isinstance(padding, int) else padding
        self.dilation = (dilation,) * 2 if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def _conv_forward(self, input, weight, bias):
        if self.padding_mode == "zeros":
            return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        sides = [side for side in reversed(self.padding) for _ in range(2)]
        padded = F.pad(input, sides, mode=self.padding_mode)
        return F.conv2d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv3dBase(nn.Module):
    """nn.Conv3d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros" or not isinstance(padding, str)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) * 3 if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) * 3 if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) * 3 if isinstance(padding, int) else padding
        self.dilation = (dilation,) * 3 if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(out_channels, in_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def _conv_forward(self, input, weight, bias):
        if self.padding_mode == "zeros":
            return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        sides = [side for side in reversed(self.padding) for _ in range(2)]
        padded = F.pad(input, sides, mode=self.padding_mode)
        return F.conv3d(padded, weight, bias, self.stride, 0, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class ConvTranspose1dBase(nn.Module):
    """nn.ConvTranspose1d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros"
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) if isinstance(padding, int) else tuple(padding)
        self.output_padding = (output_padding,) if isinstance(output_padding, int) else tuple(output_padding)
        self.dilation = (dilation,) if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.out_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class ConvTranspose2dBase(nn.Module):
    """nn.ConvTranspose2d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros"
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) * 2 if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
        self.output_padding = (output_padding,) * 2 if isinstance(output_padding, int) else tuple(output_padding)
        self.dilation = (dilation,) * 2 if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.out_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class ConvTranspose3dBase(nn.Module):
    """nn.ConvTranspose3d as a base class."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert padding_mode == "zeros"
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = (kernel_size,) * 3 if isinstance(kernel_size, int) else tuple(kernel_size)
        self.stride = (stride,) * 3 if isinstance(stride, int) else tuple(stride)
        self.padding = (padding,) * 3 if isinstance(padding, int) else tuple(padding)
        self.output_padding = (output_padding,) * 3 if isinstance(output_padding, int) else tuple(output_padding)
        self.dilation = (dilation,) * 3 if isinstance(dilation, int) else tuple(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.weight = nn.Parameter(torch.empty(in_channels, out_channels // groups, *self.kernel_size, dtype=dtype))
        self.bias = nn.Parameter(torch.empty(out_channels, dtype=dtype)) if bias else None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.out_channels // self.groups * math.prod(self.kernel_size))
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding, self.groups, self.dilation
        )


class MaxPool2dBase(nn.Module):
    """nn.MaxPool2d as a base class."""

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        assert not return_indices
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = False
        self.ceil_mode = ceil_mode

    def forward(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode)


class AvgPool2dBase(nn.Module):
    """nn.AvgPool2d as a base class."""

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input):
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class UpsampleBase(nn.Module):
    """nn.Upsample as a base class."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        assert recompute_scale_factor is None
        self.size = size
        self.scale_factor = float(scale_factor) if isinstance(scale_factor, int) else scale_factor
        self.mode = mode
        self.align_corners = align_corners

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)


class _BatchNormBase(nn.Module):
    """The base of torch's batch normalizations as a base class: channels on axis 1 of any number of axes."""

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None
    ):
        super().__init__()
        assert momentum is not None and track_running_stats
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = nn.Parameter(torch.ones(num_features, dtype=dtype)) if affine else None
        self.bias = nn.Parameter(torch.zeros(num_features, dtype=dtype)) if affine else None
        self.register_buffer("running_mean", torch.zeros(num_features, dtype=dtype))
        self.register_buffer("running_var", torch.ones(num_features, dtype=dtype))
        self.register_buffer("num_batches_tracked", torch.tensor(0))

    def _check_input_dim(self, input):
        raise NotImplementedError

    def forward(self, input):
        self._check_input_dim(input)
        axes, shape = (0, *range(2, input.dim())), (1, -1) + (1,) * (input.dim() - 2)
        if self.training:
            mean, var = input.mean(axes), input.var(axes, unbiased=False)
            count = input.numel() / self.num_features
            with torch.no_grad():
                self.num_batches_tracked = self.num_batches_tracked + 1
                self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
                self.running_var = (1 - self.momentum) * self.running_var + self.momentum * var * (count / (count - 1))
        else:
            mean, var = self.running_mean, self.running_var
        output = (input - mean.view(shape)) / torch.sqrt(var.view(shape) + self.eps)
        if self.weight is not None:
            output = output * self.weight.view(shape) + self.bias.view(shape)
        return output


class BatchNorm1dBase(_BatchNormBase):
    """nn.BatchNorm1d as a base class."""

    def _check_input_dim(self, input):
        if input.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class BatchNorm2dBase(_BatchNormBase):
    """nn.BatchNorm2d as a base class."""

    def _check_input_dim(self, input):
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")


class BatchNorm3dBase(_BatchNormBase):
    """nn.BatchNorm3d as a base class."""

    def _check_input_dim(self, input):
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")


class DropoutBase(nn.Module):
    """nn.Dropout as a base class."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
        self.inplace = inplace

    def forward(self, input):
        return F.dropout(input, self.p, self.training)


class TransformerEncoderLayerBase(nn.Module):
    """nn.TransformerEncoderLayer as a base class."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        assert activation in ("relu", "gelu")
        self.kind_of_activation = activation
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm_first = norm_first
        self.norm1 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.norm2 = nn.LayerNorm(d_model, eps=layer_norm_eps)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask))
            x = self.norm2(x + self._ff_block(x))
        return x

    def activation(self, x):
        return F.gelu(x) if self.kind_of_activation == "gelu" else F.relu(x)

    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        x = self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        return self.dropout1(x)

    def _ff_block(self, x):
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(x)


class _LossBase(nn.Module):
    """torch's private base of losses."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        assert size_average is None and reduce is None
        self.reduction = reduction


class MSELossBase(nn.Module):
    """nn.MSELoss as a base class."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        assert size_average is None and reduce is None
        self.reduction = reduction

    def forward(self, input, target):
        return F.mse_loss(input, target, reduction=self.reduction)


class CrossEntropyLossBase(nn.Module):
    """nn.CrossEntropyLoss as a base class."""

    def __init__(
        self,
        weight=None,
        size_average=None,
        ignore_index=-100,
        reduce=None,
        reduction="mean",
        label_smoothing=0.0,
    ):
        super().__init__()
        assert size_average is None and reduce is None
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.reduction = reduction
        self.label_smoothing = label_smoothing

    def forward(self, input, target):
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class L1LossBase(nn.Module):
    """nn.L1Loss as a base class."""

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        assert size_average is None and reduce is None
        self.reduction = reduction

    def forward(self, input, target):
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1LossBase(nn.Module):
    """nn.SmoothL1Loss as a base class."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", beta=1.0):
        super().__init__()
        assert size_average is None and reduce is None
        self.reduction = reduction
        self.beta = beta

    def forward(self, input, target):
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class BCELossBase(nn.Module):
    """nn.BCELoss as a base class."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        assert size_average is None and reduce is None
        self.register_buffer("weight", weight)
        self.reduction = reduction

    def forward(self, input, target):
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLossBase(nn.Module):
    """nn.BCEWithLogitsLoss as a base class."""

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
        super().__init__()
        assert size_average is None and reduce is None
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)
        self.reduction = reduction

    def forward(self, input, target):
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class NLLLossBase(nn.Module):
    """nn.NLLLoss as a base class."""

    def __init__(self, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
        super().__init__()
        assert size_average is None and reduce is None
        self.register_buffer("weight", weight)
        self.ignore_index = ignore_index
        self.reduction = reduction

    def forward(self, input, target):
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class KLDivLossBase(nn.Module):
    """nn.KLDivLoss as a base class."""

    def __init__(self, size_average=None, reduce=None, reduction="mean", log_target=False):
        super().__init__()
        assert size_average is None and reduce is None
        self.reduction = reduction
        self.log_target = log_target

    def forward(self, input, target):
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)
