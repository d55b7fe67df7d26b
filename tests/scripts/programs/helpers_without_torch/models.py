from layers import Two


def build(width):
    return Two(width)
