"""Typical calls of the most used names of torch, written as real programs use them.

A text is an expression or the statements of a function, whose free names are its parameters (tensors, unless `PARAMETERS` says
otherwise). A pair is a line of `__init__` and one of `forward`. A text that begins with `class` or `def` is a whole program.
"""

PARAMETERS = {
    "b": "int", "c": "int", "h": "int", "w": "int", "n": "int", "t": "int", "d": "int", "dim": "int", "heads": "int",
    "path": "str", "device": "torch.device", "shape": "tuple", "model": "Net", "modules": "list", "array": "np.ndarray",
    "ids": "list[int]", "eps": "float",
}  # fmt: skip

CALLS: dict[str, str | tuple[str, str]] = {
    "Tensor.shape": "b, c, h, w = x.shape",
    "Tensor.to": "x.to(y.dtype)",
    "Tensor.dtype": "torch.zeros(n, dtype=x.dtype)",
    "Tensor.device": "torch.arange(n, device=x.device)",
    "Tensor.view": "x.view(b, -1)",
    "torch.nn.Linear": ("self.fc = nn.Linear(10, 20)", "self.fc(x)"),
    "torch.nn.Module": """
class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return x + self.fc(self.norm(x))
""",
    "torch.cat": "torch.cat([x, y], dim=1)",
    "Tensor.size": "b, n = x.size(0), x.size(-1)",
    "Tensor.unsqueeze": "x.unsqueeze(-1)",
    "Tensor.reshape": "x.reshape(b, n, -1)",
    "Tensor.transpose": "x.transpose(1, 2)",
    "torch.Tensor": "def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:\n    return x * factor",
    "torch.arange": "torch.arange(0, n, 2)",
    "Tensor.sum": "x.sum(dim=-1, keepdim=True)",
    "Tensor.float": "x.float()",
    "torch.tensor": "torch.tensor([0.5, 0.25])",
    "Tensor.permute": "x.permute(0, 2, 3, 1)",
    "torch.zeros": "torch.zeros(b, n, device=x.device)",
    "torch.float32": "x.to(torch.float32)",
    "torch.nn.ModuleList": (
        "self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])",
        "for layer in self.layers:\n    x = layer(x)\nreturn x",
    ),
    "torch.nn.Parameter": ("self.scale = nn.Parameter(torch.ones(8))", "x * self.scale"),
    "Tensor.expand": "x.expand(b, -1, -1)",
    "Tensor.contiguous": "x.transpose(1, 2).contiguous().view(b, n, d)",
    "torch.nn.LayerNorm": ("self.norm = nn.LayerNorm(8, eps=1e-6)", "self.norm(x)"),
    "torch.no_grad": "with torch.no_grad():\n    y = x * 2\nreturn y",
    "torch.nn.Conv2d": ("self.conv = nn.Conv2d(3, 16, kernel_size=3, stride=2, padding=1)", "self.conv(x)"),
    "torch.stack": "torch.stack([x, y], dim=0)",
    "Tensor.flatten": "x.flatten(2)",
    "Tensor.squeeze": "x.squeeze(-1)",
    "Tensor.ndim": "if x.ndim == 3:\n    x = x[None]\nreturn x",
    "Tensor.data": "x.data",
    "Tensor.repeat": "x.repeat(b, 1, 1)",
    "torch.long": "torch.zeros(n, dtype=torch.long)",
    "torch.nn.Sequential": ("self.net = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8))", "self.net(x)"),
    "torch.nn.Dropout": ("self.drop = nn.Dropout(0.1)", "self.drop(x)"),
    "torch.where": "torch.where(mask, x, y)",
    "torch.ones": "torch.ones(b, n)",
    "torch.nn.Identity": ("self.proj = nn.Identity()", "self.proj(x)"),
    "Tensor.item": "loss.item()",
    "torch.matmul": "torch.matmul(q, k.transpose(-2, -1))",
    "Tensor.mean": "x.mean(dim=[2, 3])",
    "Tensor.clone": "y = x.clone()\ny[:, 0] = 0\nreturn y",
    "torch.zeros_like": "torch.zeros_like(x)",
    "Tensor.dim": "x.dim() == 4",
    "Tensor.numel": "x.numel()",
    "Tensor.detach": "x.detach()",
    "torch.nn.Embedding": ("self.tokens = nn.Embedding(1000, 64)", "self.tokens(ids)"),
    "torch.empty": "torch.empty(b, n)",
    "Tensor.clamp": "x.clamp(min=1e-6)",
    "Tensor.cpu": "x.detach().cpu().numpy()",
    "Tensor.max": "x.max(dim=-1, keepdim=True)[0]",
    "Tensor.tolist": "x.tolist()",
    "torch.nn.functional.pad": "F.pad(x, (0, 1, 2, 3))",
    "torch.randn": "torch.randn(b, n)",
    "torch.nn.Buffer": ("self.mask = nn.Buffer(torch.ones(8))", "x * self.mask"),
    "torch.nn.functional.dropout": (
        "self.p = 0.1",
        "F.dropout(x, p=self.p, training=self.training)",
    ),
    "Tensor.chunk": "q, k, v = x.chunk(3, dim=-1)\nreturn q, k, v",
    "torch.float": "x.to(dtype=torch.float)",
    "torch.nn.ReLU": ("self.act = nn.ReLU(inplace=True)", "self.act(x)"),
    "Tensor.long": "x.long()",
    "torch.nn.functional.interpolate": 'F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)',
    "torch.from_numpy": "torch.from_numpy(array)",
    "torch.nn.functional.softmax": "F.softmax(x, dim=-1)",
    "Tensor.numpy": "x.numpy()",
    "torch.bool": "torch.ones(n, n, dtype=torch.bool)",
    "torch.nn.BatchNorm2d": ("self.bn = nn.BatchNorm2d(16)", "self.bn(x)"),
    "Tensor.repeat_interleave": "x.repeat_interleave(2, dim=1)",
    "Tensor.new_zeros": "x.new_zeros(b, 1)",
    "torch.sum": "torch.sum(x * y, dim=1)",
    "torch.exp": "torch.exp(-x)",
    "torch.rand": "torch.rand(b, 1)",
    "Tensor.pow": "x.pow(2).mean(-1, keepdim=True)",
    "torch.full": 'torch.full((n, n), float("-inf"))',
    "Tensor.masked_fill": 'x.masked_fill(mask == 0, float("-inf"))',
    "Tensor.all": "mask.all()",
    "torch.Size": "x.shape == torch.Size([2, 3])",
    "torch.int64": "x.to(torch.int64)",
    "torch.nn.Conv1d": ("self.conv = nn.Conv1d(8, 16, 3, padding=1, groups=8)", "self.conv(x)"),
    "Tensor.split": "a, y = x.split(n, dim=-1)\nreturn a * y",
    "torch.log": "torch.log(x + 1e-8)",
    "Tensor.requires_grad": "[p for p in model.parameters() if p.requires_grad]",
    "torch.as_tensor": "torch.as_tensor(ids, device=x.device)",
    "torch.float16": "x.to(torch.float16)",
    "Tensor.copy_": "x = torch.empty_like(y)\nx.copy_(y)\nreturn x",
    "torch.device": 'torch.device("cuda" if torch.cuda.is_available() else "cpu")',
    "torch.jit.is_scripting": "x if torch.jit.is_scripting() else x + 1",
    "Tensor.type_as": "F.softmax(x.float(), dim=-1).type_as(x)",
    "torch.ones_like": "torch.ones_like(x, dtype=torch.bool)",
    "torch.clamp": "torch.clamp(x, 0, 1)",
    "Tensor.bool": "x[mask.bool()]",
    "Tensor.any": "mask.any(dim=1)",
    "torch.einsum": 'torch.einsum("bhqd,bhkd->bhqk", q, k)',
    "torch.split": "q, k, v = torch.split(x, d, dim=2)\nreturn q, k, v",
    "Tensor.cos": "x.cos()",
    "Tensor.sin": "x.sin()",
    "torch.int32": "torch.arange(n, dtype=torch.int32)",
    "Tensor.abs": "x.abs()",
    "Tensor.sigmoid": "x.sigmoid() * y",
    "torch.nn.CrossEntropyLoss": ("self.loss = nn.CrossEntropyLoss()", "self.loss(x, labels)"),
    "torch.linspace": "torch.linspace(0, 1, n)",
    "Tensor.T": "x.T @ y",
    "torch.nn.GELU": ("self.act = nn.GELU()", "self.act(x)"),
    "Tensor.t": "x @ y.t()",
    "torch.bfloat16": "x.to(torch.bfloat16)",
    "torch.finfo": "x.masked_fill(~mask, torch.finfo(x.dtype).min)",
    "torch.sqrt": "torch.sqrt(x + eps)",
    "torch.nn.functional.linear": "F.linear(x, weight, bias)",
    "torch.optim.AdamW": """
def train(model: nn.Linear, loader, epochs: int):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), labels)
            loss.backward()
            optimizer.step()
    return model
""",
    "torch.nn.functional.cross_entropy": "F.cross_entropy(logits, labels, ignore_index=-1)",
    "torch.topk": "values, indices = torch.topk(logits, k=5, dim=-1)\nreturn values, indices",
    "torch.gather": "torch.gather(x, 1, indices)",
    "torch.multinomial": "torch.multinomial(probs, num_samples=1)",
    "torch.nn.functional.scaled_dot_product_attention": "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
    "torch.manual_seed": "def draw(n: int):\n    torch.manual_seed(0)\n    return torch.randn(n)",
}
