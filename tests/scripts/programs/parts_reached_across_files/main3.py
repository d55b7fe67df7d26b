import torch
from engine import evaluate, train_norm
from models import Norm, fill

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)


def main():
    model = fill(Norm())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_norm(model, opt, x)
        print(epoch, evaluate(model, x + 0.5))
    print(model.norm.running_mean, len(list(model.parameters())))


main()
