# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        nn.init.constant_(self.fc.weight, 0.1)
        nn.init.constant_(self.fc.bias, 0.2)

    def forward(self, x):
        return self.fc(x)


class Tester:
    def __init__(self, use_gpu):
        self.device = torch.device("cuda" if use_gpu else "cpu")
        self.model = Net().to(self.device)

    def cast(self, x):
        self.model.eval()
        with torch.no_grad():
            for i in range(2):
                batch = x[i : i + 1]
                outputs = self.model(batch.float().to(self.device))
                print(outputs.sum().item())

    def made(self, x):
        self.model.eval()
        with torch.no_grad():
            for i in range(2):
                noise = torch.ones(1, 3, device=self.device)
                batch = noise + x[i : i + 1].to(device=self.device)
                print(self.model(batch).sum().item())

    def asked(self, x):
        self.model.eval()
        with torch.no_grad():
            for i in range(2):
                batch = x[i : i + 1].to(self.device, torch.float32)
                out = self.model(batch)
                print(out.sum().item(), self.device.type)


def evaluate(model, loader, device):
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in loader:
            x = x.to(device)
            pred = model(x).argmax(1)
            correct += (pred == y.to(device)).sum().item()
    return correct


x = torch.arange(6.0).view(2, 3)
tester = Tester(False)
tester.cast(x)
tester.made(x)
tester.asked(x)
print(evaluate(tester.model, [(x, torch.tensor([0, 1]))], tester.device))
