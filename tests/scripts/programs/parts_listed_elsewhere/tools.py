def names(model):
    return [name for name, _ in model.named_modules()]


def depth(module):
    children = list(module.children())
    return 1 + max(depth(child) for child in children) if children else 1


def run(model, x, until):
    for name, module in model.named_children():
        x = module(x)
        if name == until:
            return x
    return x
