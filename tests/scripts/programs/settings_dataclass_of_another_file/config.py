from dataclasses import dataclass, field


@dataclass
class Config:
    vocab: int = 12
    dim: int = 8
    heads: int = 2
    layers: int = 2
    max_len: int = 6
    dropout: float = 0.0
    tie: bool = True
    betas: tuple = field(default=(0.9, 0.98))
