import os
import tempfile

import torch

PLACE = os.path.join(tempfile.gettempdir(), "saved_across_files.pth")


def save_checkpoint(epoch, model, optimizer):
    state = {"epoch": epoch, "model": model, "optimizer": optimizer}
    torch.save(state, PLACE)
