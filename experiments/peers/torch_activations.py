"""PyTorch's own activations by actlab's names: forward(x) and backward(dy, x, y), the calls that autograd makes."""
from bench_pair import torch

aten = torch.ops.aten
SELU = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946  # alpha, lambda
ACTIVATIONS = {
    'relu': (aten.relu, lambda dy, x, y: aten.threshold_backward(dy, y, 0)),
    'leaky_relu': (lambda x: aten.leaky_relu(x, 0.01), lambda dy, x, y: aten.leaky_relu_backward(dy, x, 0.01, False)),
    'elu': (aten.elu, lambda dy, x, y: aten.elu_backward(dy, 1, 1, 1, False, x)),
    'selu': (aten.selu, lambda dy, x, y: aten.elu_backward(dy, *SELU, 1, False, x)),
    'silu': (aten.silu, lambda dy, x, y: aten.silu_backward(dy, x)),
    'gelu': (aten.gelu, lambda dy, x, y: aten.gelu_backward(dy, x)),
    'gelu_tanh': (lambda x: aten.gelu(x, approximate='tanh'),
                  lambda dy, x, y: aten.gelu_backward(dy, x, approximate='tanh')),
    'mish': (aten.mish, lambda dy, x, y: aten.mish_backward(dy, x)),
    'softplus': (aten.softplus, lambda dy, x, y: aten.softplus_backward(dy, x, 1, 20)),
    'hardswish': (aten.hardswish, lambda dy, x, y: aten.hardswish_backward(dy, x)),
    'sigmoid': (aten.sigmoid, lambda dy, x, y: aten.sigmoid_backward(dy, y)),
    'tanh': (aten.tanh, lambda dy, x, y: aten.tanh_backward(dy, y)),
}


def values(name, x):
    """f(x) and f'(x)."""
    forward, backward = ACTIVATIONS[name]
    y = forward(x)
    return y, backward(torch.ones_like(x), x, y)
