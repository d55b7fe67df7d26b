from torch.utils.data import DataLoader, RandomSampler, TensorDataset
import torch

data = TensorDataset(torch.arange(10).float())
loader = DataLoader(data, batch_size=4, sampler=RandomSampler(data, replacement=True, num_samples=int(1e10)))
(batch,) = next(iter(loader))
print(len(batch), bool((batch < 10).all()))
order = list(RandomSampler(data, num_samples=25))
print(len(order), sorted(order[:10]), len(list(RandomSampler(data, replacement=True, num_samples=7))))
