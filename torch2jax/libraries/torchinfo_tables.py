"""The summary of torchinfo, in plain torch; read as text, and translated with the program that uses it."""

import torch.nn as nn

from torch2jax.libraries.torchsummary_tables import print_parameters


def summary(
    model: nn.Module,
    input_size=None,
    input_data=None,
    batch_dim=None,
    *,
    cache_forward_pass=None,
    col_names=None,
    col_width=25,
    depth=3,
    device=None,
    dtypes=None,
    mode=None,
    row_settings=None,
):
    """Prints what each part of a model has of parameters; it is not run, so that no shapes are told."""
    print_parameters(model)
