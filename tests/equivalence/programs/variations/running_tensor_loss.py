# expect: equal
"""The running loss is a tensor, detached in every step, and accuracy is counted with tensors."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embedding = nn.Embedding(n, 6)
        self.fc = nn.Linear(6, n)

    def forward(self, idx):
        return self.fc(self.embedding(idx))


def main():
    torch.manual_seed(0)
    n = 12
    tokens = torch.randint(0, n, (64,))
    model = Net(n)
    optimizer = torch.optim.NAdam(model.parameters(), lr=0.05)
    history = []
    for epoch in range(3):
        running = torch.zeros(())
        hits = 0
        for start in range(0, 48, 16):
            idx, target = tokens[start : start + 16], tokens[start + 1 : start + 17]
            optimizer.zero_grad()
            logits = model(idx)
            loss = F.cross_entropy(logits, target)
            loss.backward()
            optimizer.step()
            running += loss.detach()
            hits += logits.argmax(dim=-1).eq(target).sum()
        history.append(running.item() / 3)
        print(f"epoch {epoch}: {running / 3:.4f} {int(hits)}")
    return history


if __name__ == "__main__":
    main()
