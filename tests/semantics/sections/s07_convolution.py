"""Convolution and pooling."""

from tests.semantics.cases import Case, case, n, t

TITLE = "Convolution and pooling"
_X = {"x": n(1, 2, 6, 6)}
_Z = {"x": n(1, 2, 7, 5) - 3}

CASES: list[Case] = [
    case("F.conv1d(x, w)", {"x": n(1, 1, 6), "w": n(1, 1, 3)}, grad=True),
    case("F.conv2d(x, w, padding=1, stride=2)", {"x": n(1, 2, 6, 6), "w": n(3, 2, 3, 3)}),
    case(
        "F.conv2d(x, w, padding=1, stride=2)",
        {"x": n(1, 2, 6, 6), "w": n(3, 2, 3, 4), "b": n(3)},
        "F.conv2d(x, w, b, padding='same'), F.conv2d(x, w, padding='valid'), F.conv2d(x, w, b, (2, 1), (1, 0))",
    ),
    case("F.conv2d(x, w) (NCHW, OIHW)", {"x": n(2, 2, 4, 4), "w": n(3, 2, 3, 3)}, "F.conv2d(x, w), torch.conv2d(x, w)"),
    case("F.conv2d(x, w, groups=2)", {"x": n(1, 4, 4, 4), "w": n(2, 2, 3, 3)}),
    case("F.conv2d(x, w, dilation=2)", {"x": n(1, 2, 6, 6), "w": n(3, 2, 2, 3)}),
    case("F.conv2d(x, w) (x without batch dim)", {"x": n(2, 4, 4), "w": n(3, 2, 3, 3)}, "F.conv2d(x, w)"),
    case("F.conv_transpose2d(x, w, stride=2, padding=1)", {"x": n(1, 2, 4, 4), "w": n(2, 3, 3, 3)}, grad=True),
    case("F.conv_transpose2d(x, w, stride=2, output_padding=1)", {"x": n(1, 2, 4, 4), "w": n(2, 3, 3, 3)}),
    case(
        "F.conv_transpose2d(x, w, groups=2)",
        {"x": n(1, 2, 4, 4), "w": n(2, 3, 3, 3)},
        "F.conv_transpose2d(x, w, groups=2), F.conv_transpose2d(x, w, dilation=2)",
    ),
    case(
        "F.max_pool2d(x, 2)",
        _X,
        "F.max_pool2d(x, 2), nn.MaxPool2d(3)(x), F.max_pool2d(x[0], 2), nn.MaxPool2d(2, stride=1)(x)",
    ),
    case(
        "F.max_pool2d(x, 3, 2, 1) (negative input)",
        _Z,
        "F.max_pool2d(x, 3, 2, 1), nn.MaxPool2d(3, 2, 1)(x), F.max_pool2d(x, (3, 2), dilation=(2, 1))",
    ),
    case(
        "F.max_pool2d(x, 3, 2, ceil_mode=True)",
        _X,
        "F.max_pool2d(x, 3, 2, ceil_mode=True), F.max_pool2d(x, 2, 2, 1, ceil_mode=True), nn.MaxPool2d(4, 3, ceil_mode=True)(x)",
    ),
    case(
        "F.max_pool2d(x, 2, return_indices=True)",
        _X,
        "F.max_pool2d(x, 2, return_indices=True), nn.MaxPool2d(3, 2, return_indices=True)(x)[1]",
    ),
    case(
        "F.avg_pool2d(x, 3, 1, 1)",
        _X,
        "F.avg_pool2d(x, 3, 1, 1), F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), nn.AvgPool2d(2)(x)",
        grad=True,
    ),
    case(
        "F.avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
        _X,
        "F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), F.avg_pool2d(x, 3, 2, 1, True, False)",
    ),
    case("F.avg_pool2d(x, 2, divisor_override=3)", _X),
    case(
        "F.adaptive_avg_pool2d(x, 3) (size not a multiple)",
        _Z,
        "F.adaptive_avg_pool2d(x, 3), nn.AdaptiveAvgPool2d((2, 3))(x)",
        grad=True,
    ),
    case(
        "F.adaptive_avg_pool2d(x, (None, 1))",
        _X,
        "F.adaptive_avg_pool2d(x, (None, 1)), F.adaptive_avg_pool2d(x, 1), nn.AdaptiveAvgPool2d((None, 2))(x)",
    ),
    case(
        "F.adaptive_max_pool1d(x, 3) (n = 7)",
        {"x": n(1, 2, 7)},
        "F.adaptive_max_pool1d(x, 3), nn.AdaptiveMaxPool1d(2)(x)",
    ),
    case("F.lp_pool2d(x, 2, 2)", _X, "F.lp_pool2d(x, 2, 2), F.lp_pool1d(x[0], 2, 3)"),
    case("F.max_unpool1d(v, i, 2)", {"v": t([[[1.0, 2.0]]]), "i": t([[[0, 3]]])}),
    case(
        "F.unfold(x, 3, padding=1)",
        {"x": n(1, 2, 4, 4)},
        "F.unfold(x, 3, padding=1), nn.Unfold((2, 3), stride=2)(x)",
        grad=True,
    ),
    case("F.fold(c, (4, 4), 2, stride=2)", {"c": n(1, 8, 4)}, "F.fold(c, (4, 4), 2, stride=2)"),
    case("F.fold(c, (4, 4), 2, stride=2)", {"c": n(1, 8, 9)}, "F.fold(c, (4, 4), 2), nn.Fold((4, 4), (2, 2))(c)"),
    case(
        "F.pixel_shuffle(x, 2)",
        {"x": n(1, 8, 3, 3)},
        "F.pixel_shuffle(x, 2), nn.PixelShuffle(2)(x), F.pixel_unshuffle(F.pixel_shuffle(x, 2), 2)",
    ),
    case("F.channel_shuffle(x, 2)", {"x": n(1, 6, 2, 2)}, "F.channel_shuffle(x, 2), nn.ChannelShuffle(3)(x)"),
]
