# also: nnx, linen
"""The last line of what an evaluation computes stands behind one that works on the host, and a loop reads what it gives."""

import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    model = nn.Linear(3, 2)
    with torch.no_grad():
        model.weight.copy_(torch.arange(6.0).view(2, 3))
        model.bias.zero_()
    loader = [(torch.arange(12.0).view(4, 3) + i, torch.tensor([0, 1, 0, 1])) for i in range(2)]
    model.eval()
    wrong = torch.zeros(4)
    for data, target in loader:
        score = model(data)
        images = data.data.cpu()
        predicted = score.data.max(1)[1].cpu().numpy()[:]
        truth = target.data.cpu()
        for image, number, guess in zip(images, truth, predicted):
            print(image.sum().item(), number.item(), guess)
    for data, target in loader:
        score = model(data)
        print(data.numpy().sum())
        wrong = score.argmax(1) - target
        for number in wrong:
            print(number.item())
    print(wrong.sum().item())


main()
