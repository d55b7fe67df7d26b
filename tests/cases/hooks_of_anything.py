import torch


def watch(layer, seen):
    def hook(module, inputs, output):
        seen.append(output)

    layer.register_forward_hook(hook)  # T2J602
    return layer(torch.ones(2))
