"""Padding, resizing, sampling."""

from tests.semantics.cases import Case, case, n, t, u

TITLE = "Padding, resizing, sampling"
_X = {"x": n(1, 2, 5, 4)}
_GRID = {"x": n(1, 2, 4, 5), "g": u(1, 3, 3, 2, low=-1.3, high=1.3)}

CASES: list[Case] = [
    case(
        "F.pad(x, (1, 2))",
        {"x": n(2, 3)},
        "F.pad(x, (1, 2)), F.pad(x, [0, 1], value=7), F.pad(x, (1, 2), 'constant', -1.0)",
        grad=True,
    ),
    case("F.pad(x, (1, 0, 2, 0))", {"x": n(2, 3)}),
    case("F.pad(x, (-1, 2))", {"x": n(2, 3)}),
    case('F.pad(x, (2, 2), mode="reflect")', {"x": n(2, 4)}, grad=True),
    case(
        'F.pad(x, (1, 1), mode="replicate")',
        {"x": n(2, 3)},
        "F.pad(x, (1, 1), mode='replicate'), F.pad(x, (1, 2), mode='circular')",
    ),
    case(
        'F.pad(x, (1, 1), mode="replicate")',
        _X,
        "F.pad(x, (1, 2, 2, 1), mode='replicate'), F.pad(x, (1, 1, 2, 2), mode='circular'), nn.ReflectionPad2d(1)(x), nn.ZeroPad2d((1, 0, 2, 1))(x), nn.ConstantPad2d(1, 3.5)(x)",
    ),
    case(
        "F.interpolate(x, size=(8, 8)) (nearest)",
        _X,
        "F.interpolate(x, size=(8, 8)), F.interpolate(x, scale_factor=2), F.interpolate(x, size=(3, 3)), nn.Upsample(scale_factor=2)(x)",
    ),
    case('F.interpolate(x, size=(8, 3), mode="nearest-exact")', _X),
    case(
        'F.interpolate(x, size=(3, 3), mode="bilinear") (shrinking)',
        _X,
        "F.interpolate(x, size=(3, 3), mode='bilinear'), F.interpolate(x, size=(3, 3), mode='bilinear', align_corners=False)",
        grad=True,
    ),
    case(
        'F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=True)',
        _X,
        "F.interpolate(x, size=(7, 9), mode='bilinear', align_corners=True), nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)(x)",
    ),
    case(
        'F.interpolate(x, size=(8, 8), mode="bicubic")',
        _X,
        "F.interpolate(x, size=(8, 8), mode='bicubic'), F.interpolate(x, size=(3, 3), mode='bicubic', align_corners=True)",
    ),
    case(
        'F.interpolate(x, scale_factor=1.7, mode="linear")',
        {"x": n(1, 2, 5)},
        "F.interpolate(x, scale_factor=1.7, mode='linear'), F.interpolate(x, scale_factor=1.7, mode='linear', recompute_scale_factor=True), F.interpolate(x, scale_factor=1.7)",
    ),
    case('F.interpolate(x, size=(3, 3), mode="area")', _X),
    case(
        "F.grid_sample(x, g)",
        _GRID,
        "F.grid_sample(x, g), F.grid_sample(x, g, align_corners=True), F.grid_sample(x, g, mode='nearest'), F.grid_sample(x, g, padding_mode='border')",
        grad=True,
        rtol=1e-3,
    ),
    case(
        "F.grid_sample(x, g)", _GRID, "F.grid_sample(x, g, padding_mode='reflection', align_corners=False)", rtol=1e-3
    ),
    case(
        "F.affine_grid(theta, (1, 1, 3, 4))",
        {"theta": t([[[1.0, 0.5, 0.1], [0.2, 1.0, -0.3]]])},
        "F.affine_grid(theta, (1, 1, 3, 4)), F.affine_grid(theta, [1, 1, 3, 4], align_corners=True)",
    ),
]
