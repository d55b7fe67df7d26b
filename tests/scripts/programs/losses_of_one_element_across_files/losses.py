def squared(y_pred, y_val):
    return (y_pred - y_val) ** 2


def through_names(y_pred, y_val):
    error = y_pred - y_val
    error = error * 2
    return squared(error, 0.5)


def both(y_pred, y_val):
    error = (y_pred - y_val).abs()
    return error, error.exp()
