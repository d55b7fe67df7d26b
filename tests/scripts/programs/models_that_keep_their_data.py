# also: nnx, linen
# A model keeps a data set, an object with a field `items`; its scores come from a sparse graph, and are ranked.
import numpy as np
import torch
from torch import nn, optim
import torch.nn.functional as F


class Data:
    def __init__(self, n_users, m_items):
        rng = np.random.RandomState(0)
        self.n_users, self.m_items = n_users, m_items
        self.users = rng.randint(0, n_users, 30)
        self.items = rng.randint(0, m_items, 30)
        self.rng = rng

    def graph(self):
        n = self.n_users + self.m_items
        a = np.zeros((n, n), dtype=np.float32)
        a[self.users, self.n_users + self.items] = 1
        a[self.n_users + self.items, self.users] = 1
        d = a.sum(1)
        with np.errstate(divide='ignore'):
            d_inv = np.power(d, -0.5)
        d_inv[np.isinf(d_inv)] = 0.
        a = d_inv[:, None] * a * d_inv[None]
        idx = np.nonzero(a)
        index = torch.stack([torch.LongTensor(idx[0]), torch.LongTensor(idx[1])])
        data = torch.FloatTensor(a[idx])
        return torch.sparse_coo_tensor(index, data, torch.Size([n, n])).coalesce()


class LightGCN(nn.Module):
    def __init__(self, config, dataset):
        super().__init__()
        self.config = config
        self.dataset = dataset
        self.__init_weight()

    def __init_weight(self):
        self.num_users = self.dataset.n_users
        self.num_items = self.dataset.m_items
        self.latent_dim = self.config['latent_dim_rec']
        self.n_layers = self.config['lightGCN_n_layers']
        self.embedding_user = torch.nn.Embedding(num_embeddings=self.num_users, embedding_dim=self.latent_dim)
        self.embedding_item = torch.nn.Embedding(num_embeddings=self.num_items, embedding_dim=self.latent_dim)
        nn.init.normal_(self.embedding_user.weight, std=0.1)
        nn.init.normal_(self.embedding_item.weight, std=0.1)
        self.f = nn.Sigmoid()
        self.Graph = self.dataset.graph()

    def computer(self):
        users_emb = self.embedding_user.weight
        items_emb = self.embedding_item.weight
        all_emb = torch.cat([users_emb, items_emb])
        embs = [all_emb]
        g_droped = self.Graph
        for layer in range(self.n_layers):
            all_emb = torch.sparse.mm(g_droped, all_emb)
            embs.append(all_emb)
        embs = torch.stack(embs, dim=1)
        light_out = torch.mean(embs, dim=1)
        users, items = torch.split(light_out, [self.num_users, self.num_items])
        return users, items

    def getUsersRating(self, users):
        all_users, all_items = self.computer()
        users_emb = all_users[users.long()]
        items_emb = all_items
        rating = self.f(torch.matmul(users_emb, items_emb.t()))
        return rating

    def getEmbedding(self, users, pos_items, neg_items):
        all_users, all_items = self.computer()
        users_emb = all_users[users]
        pos_emb = all_items[pos_items]
        neg_emb = all_items[neg_items]
        users_emb_ego = self.embedding_user(users)
        pos_emb_ego = self.embedding_item(pos_items)
        neg_emb_ego = self.embedding_item(neg_items)
        return users_emb, pos_emb, neg_emb, users_emb_ego, pos_emb_ego, neg_emb_ego

    def bpr_loss(self, users, pos, neg):
        (users_emb, pos_emb, neg_emb, userEmb0, posEmb0, negEmb0) = self.getEmbedding(users.long(), pos.long(), neg.long())
        reg_loss = (1 / 2) * (userEmb0.norm(2).pow(2) + posEmb0.norm(2).pow(2) + negEmb0.norm(2).pow(2)) / float(len(users))
        pos_scores = torch.mul(users_emb, pos_emb)
        pos_scores = torch.sum(pos_scores, dim=1)
        neg_scores = torch.mul(users_emb, neg_emb)
        neg_scores = torch.sum(neg_scores, dim=1)
        loss = torch.mean(torch.nn.functional.softplus(neg_scores - pos_scores))
        return loss, reg_loss

    def forward(self, users, items):
        all_users, all_items = self.computer()
        return torch.sum(torch.mul(all_users[users], all_items[items]), dim=1)


class BPRLoss:
    def __init__(self, recmodel, config):
        self.model = recmodel
        self.weight_decay = config['decay']
        self.lr = config['lr']
        self.opt = optim.Adam(recmodel.parameters(), lr=self.lr)

    def stageOne(self, users, pos, neg):
        loss, reg_loss = self.model.bpr_loss(users, pos, neg)
        reg_loss = reg_loss * self.weight_decay
        loss = loss + reg_loss
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.cpu().item()


def minibatch(*tensors, **kwargs):
    batch_size = kwargs.get('batch_size', 4)
    if len(tensors) == 1:
        tensor = tensors[0]
        for i in range(0, len(tensor), batch_size):
            yield tensor[i:i + batch_size]
    else:
        for i in range(0, len(tensors[0]), batch_size):
            yield tuple(x[i:i + batch_size] for x in tensors)


config = {'latent_dim_rec': 8, 'lightGCN_n_layers': 2, 'decay': 1e-4, 'lr': 0.01}
data = Data(6, 9)
model = LightGCN(config, data)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
bpr = BPRLoss(model, config)
for epoch in range(3):
    users = torch.Tensor(data.users).long()
    pos = torch.Tensor(data.items).long()
    neg = torch.Tensor(data.rng.randint(0, 9, 30)).long()
    aver_loss = 0.
    for (b, (bu, bp, bn)) in enumerate(minibatch(users, pos, neg, batch_size=8)):
        cri = bpr.stageOne(bu, bp, bn)
        aver_loss += cri
    print('%.5f' % (aver_loss / 4))
model.eval()
with torch.no_grad():
    rating = model.getUsersRating(torch.arange(6))
    exclude_index = [0, 2]
    exclude_items = [1, 3]
    rating[exclude_index, exclude_items] = -(1 << 10)
    _, rating_K = torch.topk(rating, k=3)
    print(rating_K.tolist(), rating.max().item())
