"""Boxes, losses and layers of torchvision.ops, in plain torch; read as text, and translated with the program that uses them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def corners_of(boxes: torch.Tensor, in_fmt):
    """Boxes given by their corners, from those given by a corner or their middle, and their size."""
    first, size = boxes[..., :2], boxes[..., 2:]
    if in_fmt == "xyxy":
        return boxes
    if in_fmt == "xywh":
        return torch.cat([first, first + size], dim=-1)
    if in_fmt == "cxcywh":
        return torch.cat([first - 0.5 * size, first + 0.5 * size], dim=-1)
    raise ValueError("Unsupported Bounding Box Conversions for given in_fmt and out_fmt")


def box_convert(boxes: torch.Tensor, in_fmt, out_fmt):
    """Boxes (..., 4) in another of the forms xyxy, xywh and cxcywh."""
    if in_fmt == out_fmt:
        return boxes.clone()
    corners = corners_of(boxes, in_fmt)
    low, high = corners[..., :2], corners[..., 2:]
    if out_fmt == "xyxy":
        return corners
    if out_fmt == "xywh":
        return torch.cat([low, high - low], dim=-1)
    if out_fmt == "cxcywh":
        return torch.cat([(low + high) / 2, high - low], dim=-1)
    raise ValueError("Unsupported Bounding Box Conversions for given in_fmt and out_fmt")


def area_of(boxes: torch.Tensor):
    return (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])


def common_area(low: torch.Tensor, high: torch.Tensor):
    """The area between corners; none where they have changed sides."""
    size = (high - low).clamp(min=0)
    return size[..., 0] * size[..., 1]


def generalized_box_iou(boxes1: torch.Tensor, boxes2: torch.Tensor):
    """Intersection over union of all pairs of boxes (N, 4) and (M, 4), less the part of the box around both that neither fills."""
    first, second = boxes1[:, None], boxes2[None]
    inter = common_area(torch.max(first[..., :2], second[..., :2]), torch.min(first[..., 2:], second[..., 2:]))
    union = area_of(first) + area_of(second) - inter
    hull = common_area(torch.min(first[..., :2], second[..., :2]), torch.max(first[..., 2:], second[..., 2:]))
    return inter / union - (hull - union) / hull


def clip_boxes_to_image(boxes: torch.Tensor, size):
    """Boxes cut off at the sides of a picture of `size`: its height and width."""
    height, width = size
    x, y = boxes[..., 0::2].clamp(min=0, max=width), boxes[..., 1::2].clamp(min=0, max=height)
    return torch.stack((x, y), dim=-1).reshape(boxes.shape)


def remove_small_boxes(boxes: torch.Tensor, min_size):
    """The places of the boxes both of whose sides are long enough."""
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    return torch.where((wide >= min_size) & (high >= min_size))[0]


def reduced(loss: torch.Tensor, reduction):
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    return loss


def sigmoid_focal_loss(inputs: torch.Tensor, targets: torch.Tensor, alpha=0.25, gamma=2, reduction="none"):
    """Lin et al., 2017 (arXiv:1708.02002): cross entropy that counts little where the prediction is right already."""
    p = torch.sigmoid(inputs)
    right = p * targets + (1 - p) * (1 - targets)
    loss = F.binary_cross_entropy_with_logits(inputs, targets, reduction="none") * (1 - right) ** gamma
    if alpha >= 0:
        loss = (alpha * targets + (1 - alpha) * (1 - targets)) * loss
    return reduced(loss, reduction)


def generalized_box_iou_loss(boxes1: torch.Tensor, boxes2: torch.Tensor, reduction="none", eps=1e-7):
    """One less the generalized intersection over union of boxes, one by one."""
    inter = common_area(torch.max(boxes1[..., :2], boxes2[..., :2]), torch.min(boxes1[..., 2:], boxes2[..., 2:]))
    union = area_of(boxes1) + area_of(boxes2) - inter
    low, high = torch.min(boxes1[..., :2], boxes2[..., :2]), torch.max(boxes1[..., 2:], boxes2[..., 2:])
    hull = (high - low)[..., 0] * (high - low)[..., 1]
    loss = 1 - (inter / (union + eps) - (hull - union) / (hull + eps))
    if reduction == "mean":
        return loss.mean() if loss.numel() > 0 else 0.0 * loss.sum()
    return reduced(loss, reduction)


def stochastic_depth(input: torch.Tensor, p: float, mode: str, training: bool = True):
    """Huang et al., 2016 (arXiv:1603.09382): zeros whole examples (mode "row"), or the whole batch ("batch"), with probability p."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ("batch", "row"):
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    size = [input.shape[0] if mode == "row" else 1] + [1] * (input.ndim - 1)
    mask = torch.empty(size, dtype=input.dtype, device=input.device).bernoulli_(1.0 - p)
    return input * (mask / (1.0 - p) if p < 1.0 else mask)


class StochasticDepth(nn.Module):
    """Huang et al., 2016 (arXiv:1603.09382): zeros whole examples (mode "row"), or the whole batch ("batch"), with probability p."""

    def __init__(self, p: float, mode: str):
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0.0:
            return input
        size = [input.shape[0] if self.mode == "row" else 1] + [1] * (input.ndim - 1)
        mask = torch.empty(size, dtype=input.dtype, device=input.device).bernoulli_(1.0 - self.p)
        return input * (mask / (1.0 - self.p) if self.p < 1.0 else mask)


class FrozenBatchNorm2d(nn.Module):
    """Batch norm whose statistics, scale and shift are buffers that stay as they are."""

    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.register_buffer("weight", torch.ones(num_features))
        self.register_buffer("bias", torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = self.weight.reshape(1, -1, 1, 1) * (self.running_var.reshape(1, -1, 1, 1) + self.eps).rsqrt()
        return x * scale + (self.bias.reshape(1, -1, 1, 1) - self.running_mean.reshape(1, -1, 1, 1) * scale)


class Permute(nn.Module):
    """Brings the axes into another order."""

    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.permute(x, self.dims)


class SqueezeExcitation(nn.Module):
    """Hu et al., 2018 (arXiv:1709.01507): scales each channel by what a small network makes of the means of all."""

    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        scale = self.fc2(self.activation(self.fc1(self.avgpool(input))))
        return self.scale_activation(scale) * input


class Conv2dNormActivation(nn.Sequential):
    """A convolution, a norm and an activation, each of the last two where it is wanted; the size stays at a stride of 1."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size=3,
        stride=1,
        padding=None,
        groups=1,
        norm_layer=nn.BatchNorm2d,
        activation_layer=nn.ReLU,
        dilation=1,
        inplace=True,
        bias=None,
    ):
        if padding is None:
            padding = middle_of(kernel_size, dilation)
        layers = [
            nn.Conv2d(
                in_channels,
                out_channels,
                kernel_size,
                stride,
                padding,
                dilation=dilation,
                groups=groups,
                bias=norm_layer is None if bias is None else bias,
            )
        ]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer() if inplace is None else activation_layer(inplace=inplace))
        super().__init__(*layers)
        self.out_channels = out_channels


def middle_of(kernel_size, dilation):
    """The padding with which a convolution keeps the size."""
    if isinstance(kernel_size, int) and isinstance(dilation, int):
        return (kernel_size - 1) // 2 * dilation
    sizes = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
    steps = (dilation, dilation) if isinstance(dilation, int) else dilation
    return tuple((size - 1) // 2 * step for size, step in zip(sizes, steps, strict=True))


class MLP(nn.Sequential):
    """Linear layers with norms, activations and dropout between them."""

    def __init__(
        self,
        in_channels,
        hidden_channels,
        norm_layer=None,
        activation_layer=nn.ReLU,
        inplace=None,
        bias=True,
        dropout=0.0,
    ):
        layers = []
        for width in hidden_channels[:-1]:
            layers.append(nn.Linear(in_channels, width, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(width))
            layers.append(activation_layer() if inplace is None else activation_layer(inplace=inplace))
            layers.append(nn.Dropout(dropout))
            in_channels = width
        layers.append(nn.Linear(in_channels, hidden_channels[-1], bias=bias))
        layers.append(nn.Dropout(dropout))
        super().__init__(*layers)
