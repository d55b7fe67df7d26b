"""Random numbers."""

from tests.semantics.cases import Case, case, n, t, u

TITLE = "Random numbers"

CASES: list[Case] = [
    case("torch.rand(2); torch.rand(2)", {}, "a = torch.rand(20)\nb = torch.rand(20)\nbool((a == b).any())"),
    case("torch.rand(2); torch.rand(2)", {}, "bool((torch.randn(20) == torch.randn(20)).any())"),
    case(
        "torch.rand(2); torch.rand(2)",
        {},
        "parts = [torch.rand(20) for _ in range(3)]\nbool((parts[0] == parts[1]).any()), bool((parts[1] == parts[2]).any())",
    ),
    case(
        "torch.rand(2); torch.rand(2)",
        {},
        "total = torch.zeros(200)\nfor _ in range(4):\n    total += torch.rand(200)\nreturn total",
        random=True,
    ),
    case(
        "torch.manual_seed(0)",
        {},
        "torch.manual_seed(0)\na = torch.rand(20)\ntorch.manual_seed(0)\nb = torch.rand(20)\nbool((a == b).all())",
    ),
    case("torch.randint(3, 9, (50,))", {}, random=True),
    case(
        "torch.randint(3, 9, (50,))",
        {"x": n(60)},
        "torch.randint(-2, 2, (60,)), torch.randint_like(x, 5), torch.randint_like(x, 2, 7), torch.randint(0, 4, (60,), dtype=torch.int32), torch.randint(3, (40,)).float()",
        random=True,
    ),
    case("torch.randint(3, 9, (50,))", {}, "torch.randint(-2, 2, size=(60,))", random=True),
    case("torch.randint(3, 9, (50,))", {}, "torch.randint(0, 4, (60,), dtype=torch.int32)", random=True),
    case("torch.randint(3, 9, (50,))", {}, "torch.randint(high=5, size=(60,))", random=True),
    case("torch.randint(5, (50,))", {}, random=True),
    case("torch.normal(2.0, 3.0, (4000,))", {}, "torch.normal(2.0, 3.0, (400,))", random=True),
    case(
        "torch.normal(2.0, 3.0, (4000,))",
        {"m": n(100), "s": u(100)},
        "torch.normal(m, s), torch.normal(m, 0.5), torch.normal(1.0, s), torch.empty(200).normal_(1.0, 2.0), torch.empty(200).uniform_(-2, 5)",
        random=True,
    ),
    case(
        "torch.multinomial(w, 1000, replacement=True)",
        {"w": t([1.0, 0.0, 3.0])},
        "torch.multinomial(w, 300, replacement=True)",
        random=True,
    ),
    case("torch.multinomial(w, 3)", {"w": t([1.0, 0.0, 3.0, 2.0])}, random=True),
    case(
        "torch.multinomial(w, 3)",
        {"w": t([[1.0, 5.0, 3.0, 2.0], [4.0, 0.0, 1.0, 1.0]])},
        "torch.multinomial(w, 1), w.multinomial(num_samples=2)",
        random=True,
    ),
    case("torch.multinomial(w, 3)", {}, "p = torch.randperm(30)\np.sort().values, p.shape"),
    case("x.exponential_(2.0)", {}, "x = torch.empty(300)\nx.exponential_(2.0)\nreturn x", random=True),
    case(
        "nn.init.trunc_normal_(x, std=0.5, a=-0.6, b=0.6)",
        {},
        "x = torch.empty(20, 20)\nnn.init.trunc_normal_(x, std=0.5, a=-0.6, b=0.6)\nreturn x",
        random=True,
    ),
    case("nn.init.trunc_normal_(x)", {}, "x = torch.empty(20, 20)\nnn.init.trunc_normal_(x)\nreturn x", random=True),
    case(
        "nn.init.trunc_normal_(x)",
        {},
        "x = torch.empty(20, 20)\nnn.init.trunc_normal_(x, mean=1.0, std=0.02)\nreturn x",
        random=True,
    ),
    case(
        "nn.init.kaiming_uniform_(w, a=5 ** 0.5)",
        {},
        "w = torch.empty(10, 40)\nnn.init.kaiming_uniform_(w, a=5 ** 0.5)\nreturn w",
        random=True,
    ),
    case(
        "nn.init.kaiming_normal_(w) (conv weight OIHW)",
        {},
        "w = torch.empty(10, 4, 3, 3)\nnn.init.kaiming_normal_(w)\nreturn w",
        random=True,
    ),
    case(
        "nn.init.kaiming_normal_(w) (conv weight OIHW)",
        {},
        "w = torch.empty(10, 4, 3, 3)\nnn.init.kaiming_normal_(w, mode='fan_out', nonlinearity='leaky_relu')\nreturn w",
        random=True,
    ),
    case(
        "nn.init.xavier_uniform_(w, gain=2.0) (OIHW)",
        {},
        "w = torch.empty(10, 4, 3, 3)\nnn.init.xavier_uniform_(w, gain=2.0)\nreturn w",
        random=True,
    ),
    case(
        "nn.init.xavier_uniform_(w, gain=2.0) (OIHW)",
        {},
        "w = torch.empty(10, 40)\nnn.init.xavier_normal_(w, gain=nn.init.calculate_gain('tanh'))\nreturn w",
        random=True,
    ),
    case(
        "nn.init.orthogonal_(w) (wide w)", {}, "w = torch.empty(3, 5)\nnn.init.orthogonal_(w)\nreturn w @ w.T, w.shape"
    ),
    case(
        "nn.init.orthogonal_(w) (wide w)",
        {},
        "w = torch.empty(5, 2, 2)\nnn.init.orthogonal_(w, gain=2.0)\nv = w.reshape(5, 4)\nreturn v.T @ v",
    ),
]
