import torch


def f(x: torch.Tensor):
    try:
        y = torch.exp(x)
    except (ValueError, TypeError) as error:
        print(error)
        y = torch.zeros(1)
    else:
        y = torch.log(y)
    finally:
        print("done")
    return y
