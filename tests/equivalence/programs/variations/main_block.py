# expect: equal
"""Everything stands under the main guard."""

import torch
import torch.nn as nn

if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(40, 2)
    y = (x[:, 0] * x[:, 1] > 0).float()
    model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
    criterion = nn.BCELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(10):
        prediction = model(x).squeeze()
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        accuracy = ((prediction > 0.5).float() == y).float().mean()
        print(f"epoch {epoch}: {loss.item():.4f} {accuracy.item():.3f}")
    with torch.no_grad():
        print((model(x).squeeze() > 0.5).sum().item())
