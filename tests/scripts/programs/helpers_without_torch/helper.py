def flatten(x):
    return x.view(x.size(0), -1)


def halve(x):
    x *= 0.5
    return x.sum(0)


def describe(items):
    return f"{len(items)} items, {max(items)}"
