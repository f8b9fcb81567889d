#!/usr/bin/env python3
"""Times a feed-forward network, forward and backward, in PyTorch and in actlab, in turns, and prints the ratio and what both
keep for backward as one JSON object.

  python3 experiments/peers/compare_ffn.py --activation gelu --width 3072
  python3 experiments/peers/compare_ffn.py --activation geglu --width 2048

Needs PyTorch (Debian: python3-torch, run by /usr/bin/python3) and a built actlab. Both sides run float32, threads bound to
cores: x (tokens, d) and all weights want gradients; gate and up are one product on both sides.
"""
import json
import os
import statistics
import time

from bench_pair import bench, count, parse_arguments, torch

F = torch.nn.functional
PLAIN = {
    'relu': F.relu,
    'silu': F.silu,
    'mish': F.mish,
    'gelu': F.gelu,
    'gelu_tanh': lambda x: F.gelu(x, approximate='tanh'),
}
GATED = {'reglu': F.relu, 'swiglu': F.silu, 'geglu': F.gelu}


class FeedForward(torch.nn.Module):
    def __init__(self, activation, d, width):
        super().__init__()
        self.gated = activation in GATED
        self.f = (GATED if self.gated else PLAIN)[activation]
        self.up = torch.nn.Linear(d, 2 * width if self.gated else width)
        self.down = torch.nn.Linear(width, d)

    def forward(self, x):
        h = self.up(x)
        if self.gated:
            gate, up = h.chunk(2, -1)
            return self.down(self.f(gate) * up)
        return self.down(self.f(h))


def saved_bytes(model, x):
    """Bytes of every distinct buffer that backward keeps, parameters apart."""
    parameters = {p.data_ptr() for p in model.parameters()}
    kept = {}

    def pack(tensor):
        storage = tensor.storage()
        if storage.data_ptr() not in parameters:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = model(x)
    del y
    return sum(kept.values())


def add_arguments(parser):
    parser.add_argument('--activation', default='gelu', choices=[*PLAIN, *GATED])
    parser.add_argument('--tokens', type=count, default=512)
    parser.add_argument('--d', type=count, default=768)
    parser.add_argument('--width', type=count, default=3072)


def main():
    a = parse_arguments(__doc__, add_arguments)
    model = FeedForward(a.activation, a.d, a.width)
    x = torch.randn(a.tokens, a.d, requires_grad=True)
    dy = torch.randn(a.tokens, a.d)

    def seconds():
        model.zero_grad(set_to_none=True)
        x.grad = None
        start = time.perf_counter()
        model(x).backward(dy)
        return time.perf_counter() - start
    for _ in range(3):
        seconds()
    theirs, ours = [], []
    for _ in range(a.rounds):
        theirs += [seconds() for _ in range(a.repeats)]
        ours.append(bench(a, 'ffn', 'activation', 'tokens', 'd', 'width'))
    torch_seconds, actlab_seconds = statistics.median(theirs), statistics.median(row['seconds'] for row in ours)
    torch_bytes, actlab_bytes = saved_bytes(model, x), ours[0]['saved_bytes']
    print(json.dumps({
        'activation': a.activation, 'tokens': a.tokens, 'd': a.d, 'width': a.width, 'threads': a.threads,
        'torch': torch.__version__, 'torch_seconds': torch_seconds, 'actlab_seconds': actlab_seconds,
        'ratio': torch_seconds / actlab_seconds, 'torch_saved_bytes': torch_bytes, 'actlab_saved_bytes': actlab_bytes,
        'saved_share': actlab_bytes / torch_bytes, 'isa': ours[0]['isa'],
        'OPENBLAS_CORETYPE': os.environ.get('OPENBLAS_CORETYPE')}))


if __name__ == '__main__':
    main()
