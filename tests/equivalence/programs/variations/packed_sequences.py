# expect: equal
"""A tagger over packed sequences of different lengths."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8, padding_idx=0)
        self.lstm = nn.LSTM(8, 6, num_layers=2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 5)

    def forward(self, tokens, lengths):
        self.lstm.flatten_parameters()
        packed = pack_padded_sequence(self.embed(tokens), lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, (h, _) = self.lstm(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return self.head(out), torch.cat([h[-2], h[-1]], dim=1)


def main():
    torch.manual_seed(0)
    model = Tagger()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    tokens = torch.randint(1, 20, (4, 7))
    targets = torch.randint(0, 5, (4, 7))
    lengths = torch.tensor([3, 7, 5, 2])
    losses = []
    for step in range(5):
        logits, last = model(tokens, lengths)
        loss = criterion(logits.transpose(1, 2), targets) + last.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()
