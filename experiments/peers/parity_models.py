"""actlab's models in PyTorch, their parameters named as in a trace; for parity_torch.py."""
import torch

nn = torch.nn
functional = nn.functional

ACTIVATIONS = {
    'relu': functional.relu,
    'leaky_relu': lambda x, slope: functional.leaky_relu(x, slope),
    'elu': lambda x, alpha: functional.elu(x, alpha),
    'selu': functional.selu,
    'relu_squared': lambda x: functional.relu(x) ** 2,
    'silu': functional.silu,
    'swish': lambda x, beta: x * torch.sigmoid(beta * x),
    'gelu': functional.gelu,
    'gelu_tanh': lambda x: functional.gelu(x, approximate='tanh'),
    'gelu_sigmoid': lambda x, beta: x * torch.sigmoid(beta * x),
    'gelu_scaled': lambda x, sigma: x * torch.special.ndtr(x / sigma),
    'mish': functional.mish,
    'softplus': lambda x, beta: functional.softplus(x, beta),
    'hardswish': functional.hardswish,
    'sigmoid': torch.sigmoid,
    'tanh': torch.tanh,
    'identity': lambda x: x,
}

# The activation in front of the product.
GATED = {'geglu': 'gelu', 'geglu_tanh': 'gelu_tanh', 'swiglu': 'silu', 'reglu': 'relu', 'glu': 'sigmoid',
         'bilinear': 'identity'}


class Unfit(Exception):
    """A trace that cannot be checked."""


class Activation(nn.Module):
    """Of "gelu", "elu(alpha=0.5)" or "swish(beta=1, learned=channel)"; channels are dimension `channel_dim`."""

    def __init__(self, spelled, channels, channel_dim=-1):
        super().__init__()
        name, _, inside = spelled.rstrip(')').partition('(')
        if name not in ACTIVATIONS:
            raise Unfit(f'PyTorch has no activation {name} that this script knows')
        values = dict(pair.split('=') for pair in inside.replace(' ', '').split(',') if pair)
        learned = values.pop('learned', None)
        self.function = ACTIVATIONS[name]
        self.fixed = {key: float(value) for key, value in values.items()}
        self.trained = list(values) if learned else []  # the activations that learn have one parameter
        for key in self.trained:
            self.register_parameter(key, nn.Parameter(torch.empty(1 if learned == 'layer' else channels)))
        self.channel_dim = channel_dim

    def forward(self, x):
        shape = [1] * x.dim()
        shape[self.channel_dim] = -1
        return self.function(x, **{**self.fixed, **{key: getattr(self, key).reshape(shape) for key in self.trained}})


def small_cnn(options, activation, channels, height, width, classes):
    """Its layers one after the other; and (H, W, C) of what the flatten layer reads."""
    layers = nn.Sequential()
    for number, out in enumerate(options['widths'], 1):
        layers.add_module(f'conv{number}', nn.Conv2d(channels, out, 3, padding=1))
        if options.get('batch_norm', False):
            layers.add_module(f'norm{number}', nn.BatchNorm2d(out))
        layers.add_module(f'act{number}', Activation(activation, out, channel_dim=1))
        layers.add_module(f'pool{number}', nn.MaxPool2d(2))
        channels, height, width = out, height // 2, width // 2
    layers.add_module('flatten', nn.Flatten())
    layers.add_module('head', nn.Linear(channels * height * width, classes))
    return layers, (height, width, channels)


class FeedForward(nn.Module):
    def __init__(self, d, width, activation):
        super().__init__()
        self.gated = activation in GATED
        if self.gated:
            self.gate_up = nn.Linear(d, 2 * width)
        else:
            self.up = nn.Linear(d, width)
        self.act = Activation(GATED.get(activation, activation), width)
        self.down = nn.Linear(width, d)

    def forward(self, x):
        if not self.gated:
            return self.down(self.act(self.up(x)))
        gate, up = self.gate_up(x).chunk(2, dim=-1)
        return self.down(self.act(gate) * up)


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)

    def forward(self, x, padded):
        """padded (N, L): the keys that nothing attends to."""
        n, length, d = x.shape
        q, k, v = (t.reshape(n, length, self.heads, d // self.heads).transpose(1, 2)
                   for t in self.qkv(x).chunk(3, dim=-1))
        scores = q @ k.transpose(2, 3) / (d // self.heads) ** 0.5
        attended = scores.masked_fill(padded[:, None, None, :], float('-inf')).softmax(-1) @ v
        return self.out(attended.transpose(1, 2).reshape(n, length, d))


class WindowMixing(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(window, window))

    def forward(self, x, padded):
        return self.weight @ x.masked_fill(padded[:, :, None], 0)


class Block(nn.Module):
    def __init__(self, d, width, heads, activation, pre_norm):
        super().__init__()
        self.pre_norm = pre_norm
        if heads:
            self.attention = Attention(d, heads)
            self.attention_norm = nn.LayerNorm(d)
        self.ffn = FeedForward(d, width, activation)
        self.ffn_norm = nn.LayerNorm(d)

    def around(self, x, norm, part):
        return x + part(norm(x)) if self.pre_norm else norm(x + part(x))

    def forward(self, x, padded):
        if hasattr(self, 'attention'):
            x = self.around(x, self.attention_norm, lambda h: self.attention(h, padded))
        return self.around(x, self.ffn_norm, self.ffn)


class Bert(nn.Module):
    """bert_ffn, or bert_encoder where there are heads."""

    def __init__(self, options, activation, vocabulary, window, width):
        super().__init__()
        d, heads = options['d'], options.get('heads', 0)
        self.pre_norm = options['norm'] == 'pre'
        self.tied = options['tied']
        self.tokens = nn.Embedding(vocabulary, d)
        self.positions = nn.Embedding(window, d)
        self.norm = nn.LayerNorm(d)
        if not heads:
            self.mixing = WindowMixing(window)
        for number in range(1, options['layers'] + 1):
            self.add_module(f'block{number}', Block(d, width, heads, activation, self.pre_norm))
        self.head = nn.Linear(d, vocabulary)
        if self.tied:
            del self.head.weight
            self.head.weight = self.tokens.weight
        self.layers = options['layers']

    def forward(self, tokens, lengths, places):
        padded = torch.arange(tokens.shape[1])[None, :] >= lengths[:, None]
        x = self.tokens(tokens) + self.positions.weight
        if not self.pre_norm:
            x = self.norm(x)
        if hasattr(self, 'mixing'):
            x = self.mixing(x, padded)
        for number in range(1, self.layers + 1):
            x = getattr(self, f'block{number}')(x, padded)
        if self.pre_norm:
            x = self.norm(x)
        return self.head(x.flatten(0, 1)[places])
