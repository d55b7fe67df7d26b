"""torchvision.transforms.functional on pictures of Pillow, and on arrays (..., channels, height, width) as tensors have them."""

import enum
import math
import numbers

import jax
import jax.numpy as jnp
import numpy as np
from PIL import Image, ImageEnhance, ImageOps


class InterpolationMode(enum.Enum):
    """torchvision.transforms.InterpolationMode."""

    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


def pillow_filter(interpolation):
    """Pillow's number of an interpolation mode, which may be that number already."""
    if not isinstance(interpolation, InterpolationMode):
        return interpolation
    return Image.Resampling[interpolation.name.removesuffix("_EXACT")]


def image_size(img):
    """`(height, width)` of a picture."""
    return (img.height, img.width) if isinstance(img, Image.Image) else img.shape[-2:]


def array_of(img):
    """The pixels of a tensor or picture; an array of JAX stays one, which may be traced."""
    return img if isinstance(img, jax.Array) else np.asarray(img)


def numpy_of(array):
    """The library whose functions take an array."""
    return jnp if isinstance(array, jax.Array) else np


def image_dimensions(img):
    """torchvision.transforms.functional.get_dimensions: `[channels, height, width]`."""
    if isinstance(img, Image.Image):
        return [len(img.getbands()), img.height, img.width]
    return [1 if img.ndim == 2 else img.shape[-3], *img.shape[-2:]]


def picture_size(img):
    """torchvision.transforms.functional.get_image_size: `[width, height]`."""
    return image_dimensions(img)[:0:-1]


def picture_array(pic):
    """The pixels of a picture of Pillow as an array (channels, height, width)."""
    kinds = {"I": np.int32, "I;16": np.uint16, "I;16L": np.uint16, "I;16B": np.uint16, "F": np.float32}
    array = np.array(pic, kinds.get(pic.mode, np.uint8))
    array = 255 * array if pic.mode == "1" else array
    return np.ascontiguousarray(np.moveaxis(array.reshape(pic.height, pic.width, -1), -1, 0))


def to_tensor(pic):
    """torchvision.transforms.functional.to_tensor: (channels, height, width), bytes as float32 from 0 to 1."""
    if isinstance(pic, Image.Image):
        array = picture_array(pic)
    else:
        array = np.moveaxis(pic.reshape(*pic.shape, 1) if pic.ndim == 2 else pic, -1, 0)
    return np.divide(array, 255, dtype=np.float32) if array.dtype == np.uint8 else np.ascontiguousarray(array)


def pil_to_tensor(pic):
    """torchvision.transforms.functional.pil_to_tensor: (channels, height, width) as the picture has them."""
    return picture_array(pic)


def convert_image_dtype(image, dtype=np.float32):
    """torchvision.transforms.functional.convert_image_dtype: the range of integers is that of floats from 0 to 1."""
    image, dtype = np.asarray(image), np.dtype(dtype)
    if image.dtype == dtype:
        return image
    if image.dtype.kind == "f":
        return image.astype(dtype) if dtype.kind == "f" else (image * (np.iinfo(dtype).max + 1.0 - 1e-3)).astype(dtype)
    if dtype.kind == "f":
        return image.astype(dtype) / np.asarray(np.iinfo(image.dtype).max, dtype)
    bits, wanted = np.iinfo(image.dtype).max + 1, np.iinfo(dtype).max + 1
    return (image // (bits // wanted)).astype(dtype) if bits > wanted else image.astype(dtype) * (wanted // bits)


def to_pil_image(pic, mode=None):
    """torchvision.transforms.functional.to_pil_image: of an array as tensors are, or as NumPy has pictures, channels last."""
    array = np.asarray(pic)
    channels = (1, 2, 3, 4)
    if array.ndim == 3 and (isinstance(pic, jax.Array) or array.shape[0] in channels):
        if not isinstance(pic, jax.Array) and array.shape[-1] in channels:
            raise ValueError(f"the channels of a picture of shape {array.shape} may be its first or its last axis")
        array = np.moveaxis(array, 0, -1)
    array = array[..., 0] if array.ndim == 3 and array.shape[-1] == 1 else array
    if array.dtype.kind == "f" and mode != "F":
        array = (array * 255).astype(np.uint8)
    if array.ndim == 2:
        return Image.fromarray(array) if mode is None else Image.fromarray(array).convert(mode)
    return Image.fromarray(array, mode or {2: "LA", 3: "RGB", 4: "RGBA"}[array.shape[-1]])


def normalize_image(tensor, mean, std, inplace=False):
    """torchvision.transforms.functional.normalize: every channel less its mean, over its standard deviation."""
    array = array_of(tensor)
    mean, std = (np.asarray(value, array.dtype) for value in (mean, std))
    if (std == 0).any():
        raise ValueError(f"a standard deviation is 0 in {array.dtype}")
    mean, std = (value.reshape(-1, 1, 1) if value.ndim == 1 else value for value in (mean, std))
    return (array - mean) / std


def resized_size(height, width, size, max_size=None):
    """The size that `size` asks for: one number is that of the shorter edge."""
    if isinstance(size, (list, tuple)) and len(size) == 2:
        return tuple(size)
    size = size if isinstance(size, int) else size[0]
    short, long = min(height, width), max(height, width)
    new_short, new_long = size, int(size * long / short)
    if max_size is not None and new_long > max_size:
        new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_short, new_long) if height <= width else (new_long, new_short)


def resize_image(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """torchvision.transforms.functional.resize."""
    height, width = image_size(img)
    new_height, new_width = resized_size(height, width, size, max_size)
    if (new_height, new_width) == (height, width):
        return img
    if isinstance(img, Image.Image):
        return img.resize((new_width, new_height), pillow_filter(interpolation))
    return resize_array(array_of(img), (new_height, new_width), interpolation, antialias)


def resize_array(array, size, interpolation, antialias):
    """An array with its last two axes resized: a weighted sum of the pixels along each of them."""
    xp = numpy_of(array)
    result = array.astype(np.float32) if array.dtype.kind != "f" else array
    for axis, length in zip((-1, -2), size[::-1]):
        weights = resizing_weights(array.shape[axis], length, interpolation, antialias).astype(result.dtype)
        result = xp.moveaxis(xp.moveaxis(result, axis, -1) @ weights.T, -1, axis)
    if array.dtype.kind == "f":
        return result
    limits = np.iinfo(array.dtype)
    return xp.clip(xp.rint(result), limits.min, limits.max).astype(array.dtype)


def resizing_weights(old, new, interpolation, antialias):
    """What each of `old` pixels contributes to each of `new` ones: (new, old)."""
    mode = interpolation.value if isinstance(interpolation, InterpolationMode) else interpolation
    scale = old / new
    if mode in ("nearest", "nearest-exact"):
        shift = 0.5 if mode == "nearest-exact" else 0
        return np.eye(old)[np.minimum(np.floor((np.arange(new) + shift) * scale).astype(int), old - 1)]
    if mode not in ("bilinear", "bicubic"):
        raise ValueError(f"arrays are not resized with {mode}")
    blur = max(scale, 1) if antialias else 1
    places = np.arange(old + 8) - 4  # with some beyond the edges, which stand for the pixels there
    distance = np.abs(places + 0.5 - (np.arange(new)[:, None] + 0.5) * scale) / blur
    if mode == "bilinear":
        weights = np.maximum(1 - distance, 0)
    else:
        a = -0.5 if antialias else -0.75
        near = (a + 2) * distance**3 - (a + 3) * distance**2 + 1
        far = a * (distance**3 - 5 * distance**2 + 8 * distance - 4)
        weights = np.where(distance < 1, near, np.where(distance < 2, far, 0))
    if antialias:
        weights = weights[:, 4:-4]
        return weights / weights.sum(1, keepdims=True)
    at_edges = np.eye(old)[np.clip(places, 0, old - 1)]
    return weights @ at_edges


def crop_image(img, top, left, height, width):
    """torchvision.transforms.functional.crop: what lies outside of the picture is 0."""
    if isinstance(img, Image.Image):
        return img.crop((left, top, left + width, top + height))
    old_height, old_width = image_size(img)
    bottom, right = top + height, left + width
    inside = array_of(img)[..., max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    around = ((max(-top, 0), max(bottom - old_height, 0)), (max(-left, 0), max(right - old_width, 0)))
    return numpy_of(inside).pad(inside, ((0, 0),) * (inside.ndim - 2) + around)


def sides(padding):
    """`(left, top, right, bottom)` of a padding that is one number, two or four."""
    if isinstance(padding, numbers.Number):
        return (padding,) * 4
    return tuple(padding) * (4 // len(padding))


def pad_image(img, padding, fill=0, padding_mode="constant"):
    """torchvision.transforms.functional.pad."""
    left, top, right, bottom = sides(padding)
    if isinstance(img, Image.Image):
        if padding_mode == "constant":
            return ImageOps.expand(img, (left, top, right, bottom), fill_for(img, fill))
        around = ((top, bottom), (left, right), (0, 0))
        array = np.asarray(img)
        return Image.fromarray(np.pad(array, around[: array.ndim], padding_mode), img.mode)
    array = array_of(img)
    xp = numpy_of(array)
    around = ((0, 0),) * (array.ndim - 2) + ((top, bottom), (left, right))
    if padding_mode != "constant":
        return xp.pad(array, around, padding_mode)
    if isinstance(fill, numbers.Number) or len(fill) == 1:
        return xp.pad(array, around, constant_values=fill if isinstance(fill, numbers.Number) else fill[0])
    channels = [xp.pad(array[..., i, :, :], around[1:], constant_values=value) for i, value in enumerate(fill)]
    return xp.stack(channels, -3)


def fill_for(img, fill):
    """A color as Pillow wants it: one number per channel."""
    if fill is None or not isinstance(fill, (int, float)):
        return tuple(fill) if fill is not None else 0
    number = fill if img.mode in ("F", "I") else int(fill)
    return number if len(img.getbands()) == 1 else (number,) * len(img.getbands())


def as_pair(size):
    """`(height, width)` of a size that may be one number."""
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    return (size[0], size[0]) if len(size) == 1 else tuple(size)


def center_crop(img, output_size):
    """torchvision.transforms.functional.center_crop: pictures that are smaller are padded with 0."""
    (height, width), (old_height, old_width) = as_pair(output_size), image_size(img)
    if width > old_width or height > old_height:
        left, top = max(width - old_width, 0) // 2, max(height - old_height, 0) // 2
        right, bottom = max(width - old_width + 1, 0) // 2, max(height - old_height + 1, 0) // 2
        img = pad_image(img, (left, top, right, bottom))
        old_height, old_width = image_size(img)
        if (width, height) == (old_width, old_height):
            return img
    return crop_image(img, round((old_height - height) / 2), round((old_width - width) / 2), height, width)


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    """torchvision.transforms.functional.resized_crop."""
    return resize_image(crop_image(img, top, left, height, width), size, interpolation, antialias=antialias)


def hflip(img):
    """torchvision.transforms.functional.hflip."""
    is_picture = isinstance(img, Image.Image)
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if is_picture else array_of(img)[..., ::-1]


def vflip(img):
    """torchvision.transforms.functional.vflip."""
    is_picture = isinstance(img, Image.Image)
    return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if is_picture else array_of(img)[..., ::-1, :]


def five_crop(img, size):
    """torchvision.transforms.functional.five_crop: the corners and the middle."""
    (crop_height, crop_width), (height, width) = as_pair(size), image_size(img)
    corners = [(top, left) for top in (0, height - crop_height) for left in (0, width - crop_width)]
    crops = [crop_image(img, top, left, crop_height, crop_width) for top, left in corners]
    return (*crops, center_crop(img, (crop_height, crop_width)))


def ten_crop(img, size, vertical_flip=False):
    """torchvision.transforms.functional.ten_crop: the corners and the middle, of the picture and of its mirror image."""
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


def blend(array, other, ratio):
    """A mix of two pictures, within the range of their dtype."""
    bound = 1.0 if array.dtype.kind == "f" else np.iinfo(array.dtype).max
    mixed = np.float32(ratio) * array + np.float32(1.0 - ratio) * other
    return np.clip(mixed, 0, bound).astype(array.dtype)


def rgb_to_grayscale(img, num_output_channels=1):
    """torchvision.transforms.functional.rgb_to_grayscale (and to_grayscale)."""
    if isinstance(img, Image.Image):
        gray = img.convert("L")
        return gray if num_output_channels == 1 else Image.merge("RGB", (gray,) * 3)
    array = array_of(img)
    if array.shape[-3] == 1:
        gray = array
    else:
        red, green, blue = (array[..., [i], :, :] for i in range(3))
        weights = np.float32(0.2989), np.float32(0.587), np.float32(0.114)
        gray = (weights[0] * red + weights[1] * green + weights[2] * blue).astype(array.dtype)
    return numpy_of(array).repeat(gray, num_output_channels, -3) if num_output_channels > 1 else gray


def adjust_brightness(img, brightness_factor):
    """torchvision.transforms.functional.adjust_brightness."""
    if isinstance(img, Image.Image):
        return ImageEnhance.Brightness(img).enhance(brightness_factor)
    array = np.asarray(img)
    return blend(array, np.zeros_like(array), brightness_factor)


def adjust_contrast(img, contrast_factor):
    """torchvision.transforms.functional.adjust_contrast."""
    if isinstance(img, Image.Image):
        return ImageEnhance.Contrast(img).enhance(contrast_factor)
    array = np.asarray(img)
    gray = rgb_to_grayscale(array)
    mean = gray.mean((-3, -2, -1), dtype=np.float32 if array.dtype.kind != "f" else array.dtype, keepdims=True)
    return blend(array, mean, contrast_factor)


def adjust_saturation(img, saturation_factor):
    """torchvision.transforms.functional.adjust_saturation."""
    if isinstance(img, Image.Image):
        return ImageEnhance.Color(img).enhance(saturation_factor)
    array = np.asarray(img)
    return array if array.shape[-3] == 1 else blend(array, rgb_to_grayscale(array), saturation_factor)


def adjust_hue(img, hue_factor):
    """torchvision.transforms.functional.adjust_hue: turn the hues, 0.5 by half of their circle."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"a hue factor lies between -0.5 and 0.5: {hue_factor}")
    if isinstance(img, Image.Image):
        if img.mode in ("L", "1", "I", "F"):
            return img
        hue, saturation, value = img.convert("HSV").split()
        turned = np.array(hue, np.uint8) + np.array(hue_factor * 255).astype(np.int32).astype(np.uint8)
        return Image.merge("HSV", (Image.fromarray(turned, "L"), saturation, value)).convert(img.mode)
    array = np.asarray(img)
    if array.shape[-3] == 1:
        return array
    floats = convert_image_dtype(array, np.float32)
    hue, saturation, value = rgb_to_hsv(floats)
    return convert_image_dtype(hsv_to_rgb((hue + np.float32(hue_factor)) % 1, saturation, value), array.dtype)


def rgb_to_hsv(array):
    """Hue, saturation and value of an array (..., 3, height, width) of floats."""
    red, green, blue = np.moveaxis(array, -3, 0)
    high, low = array.max(-3), array.min(-3)
    spread = high - low
    gray = spread == 0
    saturation = spread / np.where(gray, 1, high)
    divisor = np.where(gray, 1, spread)
    rc, gc, bc = ((high - channel) / divisor for channel in (red, green, blue))
    hue = np.where(high == red, bc - gc, np.where(high == green, 2 + rc - bc, 4 + gc - rc))
    return (hue / 6 + 1) % 1, saturation, high


def hsv_to_rgb(hue, saturation, value):
    """An array (..., 3, height, width) of floats from hue, saturation and value."""
    sector = np.floor(hue * 6)
    f = hue * 6 - sector
    p, q = (np.clip(value * (1 - saturation * x), 0, 1) for x in (1, f))
    t = np.clip(value * (1 - saturation * (1 - f)), 0, 1)
    choices = ((value, q, p, p, t, value), (t, value, value, q, p, p), (p, p, t, value, value, q))
    index = sector.astype(int) % 6
    return np.stack([np.choose(index, channel) for channel in choices], -3)


def adjust_gamma(img, gamma, gain=1):
    """torchvision.transforms.functional.adjust_gamma."""
    if isinstance(img, Image.Image):
        table = [int((255 + 1 - 1e-3) * gain * pow(value / 255.0, gamma)) for value in range(256)]
        return img.convert("RGB").point(table * 3).convert(img.mode)
    array = np.asarray(img)
    floats = convert_image_dtype(array, np.float32)
    return convert_image_dtype(np.clip(gain * floats**gamma, 0, 1), array.dtype)


def adjust_sharpness(img, sharpness_factor):
    """torchvision.transforms.functional.adjust_sharpness, of pictures of Pillow."""
    return ImageEnhance.Sharpness(needs_picture(img)).enhance(sharpness_factor)


def needs_picture(img):
    """Some transforms are for pictures of Pillow only."""
    if not isinstance(img, Image.Image):
        raise TypeError("this transform takes a picture of Pillow: put it before ToTensor")
    return img


def invert_image(img):
    """torchvision.transforms.functional.invert."""
    if isinstance(img, Image.Image):
        return ImageOps.invert(img)
    array = np.asarray(img)
    return (1 if array.dtype.kind == "f" else np.iinfo(array.dtype).max) - array


def posterize(img, bits):
    """torchvision.transforms.functional.posterize, of pictures of Pillow."""
    return ImageOps.posterize(needs_picture(img), bits)


def solarize(img, threshold):
    """torchvision.transforms.functional.solarize."""
    if isinstance(img, Image.Image):
        return ImageOps.solarize(img, threshold)
    array = np.asarray(img)
    return np.where(array >= threshold, invert_image(array), array)


def autocontrast(img):
    """torchvision.transforms.functional.autocontrast, of pictures of Pillow."""
    return ImageOps.autocontrast(needs_picture(img))


def equalize(img):
    """torchvision.transforms.functional.equalize, of pictures of Pillow."""
    return ImageOps.equalize(needs_picture(img))


def rotate_image(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """torchvision.transforms.functional.rotate, of pictures of Pillow."""
    fill = fill_for(needs_picture(img), 0 if fill is None else fill)
    return img.rotate(angle, pillow_filter(interpolation), expand, center, fillcolor=fill)


def affine_image(img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None):
    """torchvision.transforms.functional.affine, of pictures of Pillow."""
    height, width = image_size(needs_picture(img))
    shear = (shear, 0.0) if isinstance(shear, numbers.Number) else (*shear, 0.0)[:2]
    cx, cy = (width * 0.5, height * 0.5) if center is None else center
    matrix = inverse_affine_matrix((cx, cy), angle, translate, scale, shear)
    fill = fill_for(img, 0 if fill is None else fill)
    return img.transform((width, height), Image.Transform.AFFINE, matrix, pillow_filter(interpolation), fillcolor=fill)


def inverse_affine_matrix(center, angle, translate, scale, shear):
    """The matrix that says for each place in the result where it is from: rotated, sheared, scaled about a center."""
    rot, (sx, sy), (cx, cy) = math.radians(angle), map(math.radians, shear), center
    a = math.cos(rot - sy) / math.cos(sy)
    b = -math.cos(rot - sy) * math.tan(sx) / math.cos(sy) - math.sin(rot)
    c = math.sin(rot - sy) / math.cos(sy)
    d = -math.sin(rot - sy) * math.tan(sx) / math.cos(sy) + math.cos(rot)
    (m0, m1), (m3, m4) = (d / scale, -b / scale), (-c / scale, a / scale)
    tx, ty = translate
    return [m0, m1, m0 * (-cx - tx) + m1 * (-cy - ty) + cx, m3, m4, m3 * (-cx - tx) + m4 * (-cy - ty) + cy]


def gaussian_blur(img, kernel_size, sigma=None):
    """torchvision.transforms.functional.gaussian_blur."""
    width, height = as_pair(kernel_size)
    sigma = [0.15 * size + 0.35 for size in (width, height)] if sigma is None else as_floats(sigma)
    if isinstance(img, Image.Image):
        array = picture_array(img)
        blurred = np.moveaxis(gaussian_blur(array, (width, height), sigma), 0, -1)
        return Image.fromarray(blurred[..., 0] if blurred.shape[-1] == 1 else blurred, img.mode)
    array = np.asarray(img)
    result = array if array.dtype.kind == "f" else array.astype(np.float32)
    for axis, size, width_of_bell in ((-1, width, sigma[0]), (-2, height, sigma[1])):
        places = np.linspace(-(size - 1) / 2, (size - 1) / 2, size)
        weights = np.exp(-0.5 * (places / width_of_bell) ** 2)
        weights = (weights / weights.sum()).astype(result.dtype)
        around = [(0, 0)] * result.ndim
        around[axis] = (size // 2, size // 2)
        windows = np.lib.stride_tricks.sliding_window_view(np.pad(result, around, "reflect"), size, axis)
        result = windows @ weights
    return result if array.dtype.kind == "f" else np.rint(result).astype(array.dtype)


def as_floats(sigma):
    """Two numbers from one or two."""
    return [float(sigma)] * 2 if isinstance(sigma, numbers.Number) else [float(x) for x in (*sigma, sigma[0])[:2]]


def erase_image(img, i, j, h, w, v, inplace=False):
    """torchvision.transforms.functional.erase: a rectangle filled with `v`."""
    array = np.array(img)
    array[..., i : i + h, j : j + w] = v
    return array
