def warm(step):
    return min(1.0, (step + 1) / 4)
