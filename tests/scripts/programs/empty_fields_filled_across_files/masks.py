def set_mask(model, mask):
    model.mask = mask


def is_masked(model):
    return model.mask is not None
