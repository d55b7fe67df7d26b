# also: nnx, linen
import argparse
import torch
from torch import nn

torch.set_float32_matmul_precision("high")
torch.backends.cuda.matmul.allow_tf32 = True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--precision", default="medium")
    parser.add_argument("--tf32", action="store_true")
    args = parser.parse_args()
    torch.set_float32_matmul_precision(args.precision)
    torch.backends.cuda.matmul.allow_tf32 = args.tf32 and torch.cuda.is_available()
    x = torch.arange(6.0).reshape(2, 3)
    print(x @ x.T)


if __name__ == "__main__":
    torch.set_float32_matmul_precision("medium")
    main()
    torch.set_float32_matmul_precision("highest")
