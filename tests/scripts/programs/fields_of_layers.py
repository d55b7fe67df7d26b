# also: linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)
        self.group = nn.GroupNorm(2, 4)
        self.fc = nn.Linear(4, 2)
        self.norm = nn.LayerNorm(2)
        self.words = nn.Embedding(5, 2)

    def forward(self, x, word):
        y = self.group(self.conv(x)).mean((2, 3))
        return self.norm(self.fc(y)) + self.words(word) * self.words.embedding_dim


net = Net()
print(net.conv.stride, net.conv.kernel_size, net.conv.in_channels, net.conv.out_channels, net.fc.in_features)
print(list(net.norm.normalized_shape), net.group.num_groups, net.group.num_channels)
print(net.words.num_embeddings, net.words.embedding_dim, net(torch.ones(2, 3, 5, 5), torch.tensor([1, 2])).shape[1])
