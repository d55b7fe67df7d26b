"""Methods that leave their module in another mode than the one in which they were called."""

import torch
import torch.nn as nn


class Base(nn.Module):
    def evaluate(self, xs, mean=True):
        self.eval()
        total = 0.0
        with torch.no_grad():
            for x in xs:
                total += self(x).mean().item()
        if not mean:
            self.train()
            return total
        self.train()
        return total / len(xs)

    def report(self, xs):
        print("report", round(self.evaluate(xs), 5), self.training)
        return self.evaluate(xs, mean=False)

    @torch.no_grad()
    def predict(self, x):
        self.eval()
        return self(x).argmax(-1)


class Net(Base):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(3, 2)
        for n, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (n + 1))

    def forward(self, x):
        x = self.fc(self.bn(x))
        return x if self.training else self.drop(x) * 2


class Decoder(nn.Module):
    def __init__(self, vocab=7, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(dim, vocab)
        for n, p in enumerate(self.parameters()):
            with torch.no_grad():
                p.copy_(torch.sin(torch.arange(p.numel()) * 0.7 + n).view(p.shape))
        self.train()

    def forward(self, x):
        return self.fc(self.drop(self.emb(x)))

    @torch.no_grad()
    def generate(self, x, n):
        self.eval()
        for _ in range(n):
            x = torch.cat([x, self(x)[:, -1].argmax(-1, keepdim=True)], dim=1)
        self.train()
        return x

    def complete(self, x, n):
        was_training = self.training
        self.eval()
        with torch.no_grad():
            for _ in range(n):
                x = torch.cat([x, self(x)[:, -1].argmax(-1, keepdim=True)], dim=1)
        if was_training:
            self.train()
        return x


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def fit(self, xs, epochs):
        for epoch in range(epochs):
            for x in xs:
                self.optimizer.zero_grad()
                loss = (self.model(x) ** 2).mean()
                loss.backward()
                self.optimizer.step()
            print(epoch, round(self.model.evaluate(xs), 5), round(loss.item(), 5))
            if self.model.evaluate(xs) > 100:
                break
        return self.model.training


def decode(tokens):
    return "".join("abcdefg"[i] for i in tokens)


def sample(model, x):
    return decode(model.generate(x, 4)[0].tolist())


xs = [torch.arange(12.0).reshape(4, 3) / 7, torch.arange(12.0).reshape(4, 3) ** 2 / 50]
net = Net()
net.eval()
print(round(net.report(xs), 5), net.training)
trainer = Trainer(Net(), 0.1)
print(trainer.fit(xs, 3))
net = trainer.model
print(net(xs[0]).sum().item(), net.bn.running_mean.tolist())
hits = (net.predict(xs[1]) == 1).sum()
print(hits.item(), net.training, net(xs[0]).sum().item())
net.train()
print(net.predict(xs[0]).tolist(), net.training)
net.train()
if net.predict(xs[0]).sum() >= 0:
    print("found", net.training)

decoder = Decoder()
prompt = torch.tensor([[1, 2], [3, 4]])
decoder.eval()
print(decoder(prompt).sum().item())
print(decoder.complete(prompt, 2).tolist(), decoder.training)
print(sample(decoder, prompt), decoder.training)
print(decoder.complete(prompt, 3).tolist(), decoder.training)
decoder.eval()
print(decode(decoder.generate(prompt, 3)[1].tolist()), decoder.training)
