


def prepend(layers, layer):
    layers.insert(0, layer)


def append(layers, layer):
    layers.append(layer)
