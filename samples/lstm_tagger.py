"""Tag the tokens of padded sequences with a bidirectional LSTM."""

import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PAD = 0
IGNORE = -100


class ToySentences(Dataset):
    """Random token sequences; the tag of a token says how it compares with its neighbours."""

    def __init__(self, num_sentences, vocab_size, seed):
        rng = random.Random(seed)
        self.sentences = [
            [rng.randint(1, vocab_size - 1) for _ in range(rng.randint(3, 9))] for _ in range(num_sentences)
        ]

    def __len__(self):
        return len(self.sentences)

    def __getitem__(self, index):
        tokens = self.sentences[index]
        tags = []
        for i, token in enumerate(tokens):
            left = tokens[i - 1] if i > 0 else 0
            right = tokens[i + 1] if i + 1 < len(tokens) else 0
            tags.append(int(token > left) + int(token > right))
        return tokens, tags


def collate(batch):
    """Pad the sequences of a batch to a common length."""
    longest = max(len(tokens) for tokens, _ in batch)
    inputs = torch.full((len(batch), longest), PAD, dtype=torch.long)
    targets = torch.full((len(batch), longest), IGNORE, dtype=torch.long)
    for row, (tokens, tags) in enumerate(batch):
        inputs[row, : len(tokens)] = torch.tensor(tokens)
        targets[row, : len(tags)] = torch.tensor(tags)
    return inputs, targets


class LSTMTagger(nn.Module):
    def __init__(self, vocab_size, num_tags, embedding_dim=16, hidden_dim=24, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=PAD)
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, num_layers=2, batch_first=True, bidirectional=True)
        self.classifier = nn.Linear(2 * hidden_dim, num_tags)

    def forward(self, tokens):
        embedded = self.dropout(self.embedding(tokens))
        output, (h_n, c_n) = self.lstm(embedded)  # (B, T, 2H)
        return self.classifier(self.dropout(output))


def train_epoch(model, loader, optimizer, criterion):
    """Returns the loss of every step."""
    model.train()
    losses = []
    for inputs, targets in loader:
        optimizer.zero_grad()
        logits = model(inputs)
        loss = criterion(logits.view(-1, logits.size(-1)), targets.view(-1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def accuracy(model, loader):
    """Share of real (not padding) tokens with the right tag."""
    model.eval()
    correct = total = 0
    for inputs, targets in loader:
        predictions = model(inputs).argmax(dim=2)
        mask = targets != IGNORE
        correct += ((predictions == targets) & mask).sum().item()
        total += mask.sum().item()
    return correct / total


def main():
    torch.manual_seed(7)
    vocab_size, num_tags = 20, 3
    train_loader = DataLoader(
        ToySentences(120, vocab_size, seed=0), batch_size=20, shuffle=True, collate_fn=collate
    )
    test_loader = DataLoader(ToySentences(40, vocab_size, seed=1), batch_size=20, collate_fn=collate)

    model = LSTMTagger(vocab_size, num_tags)
    num_params = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"{num_params} parameters")
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

    losses = []
    for epoch in range(5):
        epoch_losses = train_epoch(model, train_loader, optimizer, criterion)
        losses.extend(epoch_losses)
        mean = sum(epoch_losses) / len(epoch_losses)
        print(f"epoch {epoch}: loss {mean:.4f}, accuracy {accuracy(model, test_loader):.3f}")
    return losses


if __name__ == "__main__":
    main()
