"""torchvision.transforms on pictures of Pillow and on arrays (..., channels, height, width); chance is NumPy's."""

import math
import numbers

import numpy as np

from torch2jax.runtime.sampler_ops import host_rng
from torch2jax.runtime.vision_functional import (
    InterpolationMode, adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation, adjust_sharpness, affine_image, as_pair,
    autocontrast, center_crop, convert_image_dtype, crop_image, equalize, erase_image, five_crop, gaussian_blur, hflip,
    image_dimensions, image_size, invert_image, normalize_image, pad_image, pil_to_tensor, posterize, resize_image,
    resized_crop, rgb_to_grayscale, rotate_image, solarize, ten_crop, to_pil_image, to_tensor, vflip,
)  # fmt: skip


class Compose:
    """torchvision.transforms.Compose: several transforms one after another."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img


class ToTensor:
    """torchvision.transforms.ToTensor: float32 arrays from 0 to 1, channels first."""

    def __call__(self, pic):
        return to_tensor(pic)


class PILToTensor:
    """torchvision.transforms.PILToTensor: arrays of bytes, channels first."""

    def __call__(self, pic):
        return pil_to_tensor(pic)


class ToImage:
    """torchvision.transforms.v2.ToImage: arrays with the pixels as they are, channels first."""

    def __call__(self, pic):
        return pil_to_tensor(pic) if hasattr(pic, "getbands") else np.moveaxis(np.atleast_3d(pic), -1, 0)


class ConvertImageDtype:
    """torchvision.transforms.ConvertImageDtype."""

    def __init__(self, dtype):
        self.dtype = dtype

    def __call__(self, image):
        return convert_image_dtype(image, self.dtype)


class ToDtype:
    """torchvision.transforms.v2.ToDtype: another dtype, with `scale` also the range of values that goes with it."""

    def __init__(self, dtype, scale=False):
        self.dtype, self.scale = dtype, scale

    def __call__(self, image):
        return convert_image_dtype(image, self.dtype) if self.scale else np.asarray(image).astype(self.dtype)


class ToPILImage:
    """torchvision.transforms.ToPILImage."""

    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return to_pil_image(pic, self.mode)


class Normalize:
    """torchvision.transforms.Normalize: every channel less its mean, over its standard deviation."""

    def __init__(self, mean, std, inplace=False):
        self.mean, self.std = mean, std

    def __call__(self, tensor):
        return normalize_image(tensor, self.mean, self.std)


class Lambda:
    """torchvision.transforms.Lambda: a function as a transform."""

    def __init__(self, lambd):
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class Resize:
    """torchvision.transforms.Resize."""

    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias

    def __call__(self, img):
        return resize_image(img, self.size, self.interpolation, self.max_size, self.antialias)


class CenterCrop:
    """torchvision.transforms.CenterCrop."""

    def __init__(self, size):
        self.size = as_pair(size)

    def __call__(self, img):
        return center_crop(img, self.size)


class ImageClassification:
    """What weights of torchvision want pictures to be like: resized, cropped, and every channel normalized."""

    def __init__(
        self, *, crop_size, resize_size=256, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225),
        interpolation=InterpolationMode.BILINEAR, antialias=True,
    ):  # fmt: skip
        self.crop_size, self.resize_size, self.mean, self.std = [crop_size], [resize_size], list(mean), list(std)
        self.interpolation, self.antialias = interpolation, antialias

    def __call__(self, img):
        img = resize_image(img, self.resize_size, self.interpolation, antialias=self.antialias)
        img = center_crop(img, self.crop_size)
        return normalize_image(
            convert_image_dtype(pil_to_tensor(img) if hasattr(img, "getbands") else img), self.mean, self.std
        )

    def __repr__(self):
        words = ("crop_size", "resize_size", "mean", "std", "interpolation")
        return "\n    ".join(["ImageClassification(", *(f"{word}={getattr(self, word)}" for word in words)]) + "\n)"


class Pad:
    """torchvision.transforms.Pad."""

    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def __call__(self, img):
        return pad_image(img, self.padding, self.fill, self.padding_mode)


class FiveCrop:
    """torchvision.transforms.FiveCrop."""

    def __init__(self, size):
        self.size = as_pair(size)

    def __call__(self, img):
        return five_crop(img, self.size)


class TenCrop:
    """torchvision.transforms.TenCrop."""

    def __init__(self, size, vertical_flip=False):
        self.size, self.vertical_flip = as_pair(size), vertical_flip

    def __call__(self, img):
        return ten_crop(img, self.size, self.vertical_flip)


class Grayscale:
    """torchvision.transforms.Grayscale."""

    def __init__(self, num_output_channels=1):
        self.num_output_channels = num_output_channels

    def __call__(self, img):
        return rgb_to_grayscale(img, self.num_output_channels)


class RandomApply:
    """torchvision.transforms.RandomApply: all of the transforms, or none."""

    def __init__(self, transforms, p=0.5):
        self.transforms, self.p = transforms, p

    def __call__(self, img):
        if host_rng.random() < self.p:
            for transform in self.transforms:
                img = transform(img)
        return img


class RandomOrder:
    """torchvision.transforms.RandomOrder: all of the transforms, in any order."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for i in host_rng.permutation(len(self.transforms)):
            img = self.transforms[i](img)
        return img


class RandomChoice:
    """torchvision.transforms.RandomChoice: one of the transforms."""

    def __init__(self, transforms, p=None):
        self.transforms, self.p = transforms, p

    def __call__(self, img):
        p = None if self.p is None else np.asarray(self.p) / np.sum(self.p)
        return self.transforms[host_rng.choice(len(self.transforms), p=p)](img)


class RandomCrop:
    """torchvision.transforms.RandomCrop."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        self.size, self.padding, self.pad_if_needed = as_pair(size), padding, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    @staticmethod
    def get_params(img, output_size):
        """A place for the crop: `(top, left, height, width)`."""
        (height, width), (new_height, new_width) = image_size(img), output_size
        if height < new_height or width < new_width:
            raise ValueError(f"a crop of {output_size} does not fit into a picture of {(height, width)}")
        top, left = host_rng.integers(0, (height - new_height + 1, width - new_width + 1)).tolist()
        return top, left, new_height, new_width

    def __call__(self, img):
        if self.padding is not None:
            img = pad_image(img, self.padding, self.fill, self.padding_mode)
        height, width = image_size(img)
        if self.pad_if_needed and width < self.size[1]:
            img = pad_image(img, [self.size[1] - width, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and height < self.size[0]:
            img = pad_image(img, [0, self.size[0] - height], self.fill, self.padding_mode)
        return crop_image(img, *self.get_params(img, self.size))


class RandomResizedCrop:
    """torchvision.transforms.RandomResizedCrop: a part with a random area and aspect ratio, resized."""

    def __init__(
        self, size, scale=(0.08, 1.0), ratio=(3.0 / 4.0, 4.0 / 3.0), interpolation=InterpolationMode.BILINEAR, antialias=True
    ):  # fmt: skip
        self.size, self.scale, self.ratio = as_pair(size), scale, ratio
        self.interpolation, self.antialias = interpolation, antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """A place for the crop: `(top, left, height, width)`."""
        height, width = image_size(img)
        for _ in range(10):
            area = height * width * host_rng.uniform(*scale)
            aspect_ratio = math.exp(host_rng.uniform(math.log(ratio[0]), math.log(ratio[1])))
            w, h = round(math.sqrt(area * aspect_ratio)), round(math.sqrt(area / aspect_ratio))
            if 0 < w <= width and 0 < h <= height:
                top, left = host_rng.integers(0, (height - h + 1, width - w + 1)).tolist()
                return top, left, h, w
        h, w = height, width
        if width / height < min(ratio):
            h = round(width / min(ratio))
        elif width / height > max(ratio):
            w = round(height * max(ratio))
        return (height - h) // 2, (width - w) // 2, h, w

    def __call__(self, img):
        place = self.get_params(img, self.scale, self.ratio)
        return resized_crop(img, *place, self.size, self.interpolation, self.antialias)


class RandomHorizontalFlip:
    """torchvision.transforms.RandomHorizontalFlip."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return hflip(img) if host_rng.random() < self.p else img


class RandomVerticalFlip:
    """torchvision.transforms.RandomVerticalFlip."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return vflip(img) if host_rng.random() < self.p else img


class RandomGrayscale:
    """torchvision.transforms.RandomGrayscale."""

    def __init__(self, p=0.1):
        self.p = p

    def __call__(self, img):
        return rgb_to_grayscale(img, image_dimensions(img)[0]) if host_rng.random() < self.p else img


class RandomInvert:
    """torchvision.transforms.RandomInvert."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return invert_image(img) if host_rng.random() < self.p else img


class RandomPosterize:
    """torchvision.transforms.RandomPosterize."""

    def __init__(self, bits, p=0.5):
        self.bits, self.p = bits, p

    def __call__(self, img):
        return posterize(img, self.bits) if host_rng.random() < self.p else img


class RandomSolarize:
    """torchvision.transforms.RandomSolarize."""

    def __init__(self, threshold, p=0.5):
        self.threshold, self.p = threshold, p

    def __call__(self, img):
        return solarize(img, self.threshold) if host_rng.random() < self.p else img


class RandomAdjustSharpness:
    """torchvision.transforms.RandomAdjustSharpness."""

    def __init__(self, sharpness_factor, p=0.5):
        self.sharpness_factor, self.p = sharpness_factor, p

    def __call__(self, img):
        return adjust_sharpness(img, self.sharpness_factor) if host_rng.random() < self.p else img


class RandomAutocontrast:
    """torchvision.transforms.RandomAutocontrast."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return autocontrast(img) if host_rng.random() < self.p else img


class RandomEqualize:
    """torchvision.transforms.RandomEqualize."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return equalize(img) if host_rng.random() < self.p else img


def jitter_range(value, center=1.0, low=0.0):
    """The range of a factor: `center` more or less `value`, or the range itself; None if it is the center alone."""
    if isinstance(value, numbers.Number):
        if value < 0:
            raise ValueError(f"a range around {center} cannot be negative: {value}")
        value = (max(center - float(value), low), center + float(value))
    first, last = float(value[0]), float(value[1])
    if not low <= first <= last:
        raise ValueError(f"no range of factors: {value}")
    return None if first == last == center else (first, last)


class ColorJitter:
    """torchvision.transforms.ColorJitter: another brightness, contrast, saturation and hue, in any order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        self.brightness, self.contrast, self.saturation = map(jitter_range, (brightness, contrast, saturation))
        self.hue = jitter_range(hue, 0.0, -0.5)

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order, and a factor for each, or None."""
        ranges = (brightness, contrast, saturation, hue)
        return host_rng.permutation(4), *(None if item is None else host_rng.uniform(*item) for item in ranges)

    def __call__(self, img):
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        adjust = (adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue)
        for i in order:
            img = img if factors[i] is None else adjust[i](img, factors[i])
        return img


def symmetric_range(value):
    """`(-value, value)` of a number, else the range itself."""
    return (-float(value), float(value)) if isinstance(value, numbers.Number) else tuple(map(float, value))


class RandomRotation:
    """torchvision.transforms.RandomRotation, of pictures of Pillow."""

    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        self.degrees, self.interpolation = symmetric_range(degrees), interpolation
        self.expand, self.center, self.fill = expand, center, fill

    @staticmethod
    def get_params(degrees):
        """An angle."""
        return host_rng.uniform(*degrees)

    def __call__(self, img):
        angle = self.get_params(self.degrees)
        return rotate_image(img, angle, self.interpolation, self.expand, self.center, self.fill)


class RandomAffine:
    """torchvision.transforms.RandomAffine, of pictures of Pillow."""

    def __init__(
        self, degrees, translate=None, scale=None, shear=None, interpolation=InterpolationMode.NEAREST, fill=0, center=None
    ):  # fmt: skip
        self.degrees, self.translate, self.scale = symmetric_range(degrees), translate, scale
        self.shear = None if shear is None else symmetric_range(shear)
        self.interpolation, self.fill, self.center = interpolation, fill, center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """`(angle, translations, scale, shear)` for a picture of `img_size`, its width and height."""
        angle, moved, shear = host_rng.uniform(*degrees), (0, 0), (0.0, 0.0)
        if translate is not None:
            most = [float(share * size) for share, size in zip(translate, img_size)]
            moved = tuple(round(host_rng.uniform(-x, x)) for x in most)
        scale = 1.0 if scale_ranges is None else host_rng.uniform(*scale_ranges)
        if shears is not None:
            shear = (host_rng.uniform(*shears[:2]), host_rng.uniform(*shears[2:]) if len(shears) == 4 else 0.0)
        return angle, moved, scale, shear

    def __call__(self, img):
        height, width = image_size(img)
        params = self.get_params(self.degrees, self.translate, self.scale, self.shear, (width, height))
        return affine_image(img, *params, interpolation=self.interpolation, fill=self.fill, center=self.center)


class GaussianBlur:
    """torchvision.transforms.GaussianBlur."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        self.kernel_size = as_pair(kernel_size)
        self.sigma = (sigma, sigma) if isinstance(sigma, numbers.Number) else sigma

    @staticmethod
    def get_params(sigma_min, sigma_max):
        """A width of the bell."""
        return host_rng.uniform(sigma_min, sigma_max)

    def __call__(self, img):
        sigma = self.get_params(*self.sigma)
        return gaussian_blur(img, self.kernel_size, [sigma, sigma])


class RandomErasing:
    """torchvision.transforms.RandomErasing, of arrays: a rectangle becomes another value, or noise."""

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        self.p, self.scale, self.ratio, self.value = p, scale, ratio, value

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        """`(top, left, height, width, values)`."""
        channels, height, width = img.shape[-3:]
        for _ in range(10):
            area = height * width * host_rng.uniform(*scale)
            aspect_ratio = math.exp(host_rng.uniform(math.log(ratio[0]), math.log(ratio[1])))
            h, w = round(math.sqrt(area * aspect_ratio)), round(math.sqrt(area / aspect_ratio))
            if h < height and w < width:
                noise = host_rng.standard_normal((channels, h, w)).astype(np.float32)
                values = noise if value is None else np.reshape(np.asarray(value, np.float32), (-1, 1, 1))
                top, left = host_rng.integers(0, (height - h + 1, width - w + 1)).tolist()
                return top, left, h, w, values
        return 0, 0, height, width, img

    def __call__(self, img):
        if host_rng.random() >= self.p:
            return img
        value = self.value
        value = None if isinstance(value, str) else [value] if isinstance(value, numbers.Number) else list(value)
        return erase_image(img, *self.get_params(img, self.scale, self.ratio, value))
