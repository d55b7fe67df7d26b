"""torchvision.utils: pictures of batches."""

import math

import numpy as np
from PIL import Image


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """torchvision.utils.make_grid: one array (3, height, width) with the pictures of a batch side by side."""
    images = np.stack([np.asarray(image) for image in tensor]) if isinstance(tensor, list) else np.asarray(tensor)
    images = images[None] if images.ndim == 2 else images
    if images.ndim == 3:
        images = np.repeat(images, 3, 0) if images.shape[0] == 1 else images
        images = images[None]
    if images.ndim == 4 and images.shape[1] == 1:
        images = np.repeat(images, 3, 1)
    if normalize:
        parts = list(images) if scale_each else [images]
        ranges = [(part.min(), part.max()) if value_range is None else value_range for part in parts]
        scaled = [
            (np.clip(part, low, high) - low) / np.maximum(high - low, 1e-5).astype(part.dtype)
            for part, (low, high) in zip(parts, ranges)
        ]
        images = np.stack(scaled) if scale_each else scaled[0]
    if len(images) == 1:
        return images[0]
    columns = min(nrow, len(images))
    height, width = images.shape[2] + padding, images.shape[3] + padding
    rows = math.ceil(len(images) / columns)
    grid = np.full((images.shape[1], height * rows + padding, width * columns + padding), pad_value, images.dtype)
    for i, image in enumerate(images):
        top, left = (i // columns) * height + padding, (i % columns) * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = image
    return grid


def save_image(tensor, fp, format=None, **grid_options):
    """torchvision.utils.save_image: a batch as one picture in a file."""
    grid = make_grid(tensor, **grid_options)
    pixels = np.clip(grid * np.float32(255) + np.float32(0.5), 0, 255).astype(np.uint8)
    Image.fromarray(np.moveaxis(pixels, 0, -1)).save(fp, format=format)
