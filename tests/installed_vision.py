"""torchvision, where it is installed: it is no dependency, and tests compare with it."""

import sys

import torch


def torchvision_or_none():
    """torchvision, also where its compiled operators cannot be loaded, which nothing here needs."""
    library = torch.library.Library("torchvision", "FRAGMENT")
    try:
        import torchvision.models.segmentation
        import torchvision.transforms.functional
        import torchvision.utils
    except ImportError:
        return None
    except RuntimeError:
        for name in ("nms", "qnms"):
            library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[name]
        import torchvision.models.segmentation
        import torchvision.transforms.functional
        import torchvision.utils

        torchvision.library_of_operators = library
    return torchvision
