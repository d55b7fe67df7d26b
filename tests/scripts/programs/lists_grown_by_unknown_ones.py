# also: nnx, linen
import json

import torch
from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __init__(self, text):
        self.rows = json.loads(text)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return torch.full((2, 2), float(i)), row["q"], row["a"], row["w"]


def collate(batch):
    image_list, question_list, answer_list, weight_list, n = [], [], [], [], []
    for image, question, answer, weights in batch:
        image_list.append(image)
        question_list.append(question)
        weight_list += weights
        answer_list += answer
        n.append(len(answer))
    return torch.stack(image_list, dim=0), question_list, answer_list, torch.Tensor(weight_list), n


text = '[{"q": "a", "a": ["x", "y"], "w": [0.5, 0.5]}, {"q": "b", "a": ["z"], "w": [1.0]}, {"q": "c", "a": ["z"], "w": [1.0]}]'
for image, question, answer, weights, n in DataLoader(Data(text), batch_size=2, shuffle=False, collate_fn=collate):
    print(tuple(image.shape), question, answer, weights.tolist(), n)
