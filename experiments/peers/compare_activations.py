#!/usr/bin/env python3
"""Times an activation, forward and backward, in PyTorch and in actlab, in turns, and prints the ratios and the largest
errors of both at the same floats as one JSON object.

  python3 experiments/peers/compare_activations.py --activation gelu --elements 524288
  python3 experiments/peers/compare_activations.py --activation mish --elements 33554432 --rounds 3

Needs PyTorch (Debian: python3-torch, run by /usr/bin/python3) and a built actlab with its program peer_errors. Both sides run
float32, threads bound to cores; PyTorch allocates each result, as it does in training, actlab writes where memory is touched.
Errors: f in units in the last place, f' in units of 2^-24 max(|f'|, min(|x|, 1) |f''|), against double.
"""
import json
import statistics
import time

from bench_pair import bench, count, parse_arguments, torch
from peer_errors import PeerErrors
from torch_activations import ACTIVATIONS


def add_arguments(parser):
    parser.add_argument('--activation', default='gelu', choices=ACTIVATIONS)
    parser.add_argument('--elements', type=count, default=1 << 19)
    parser.add_argument('--stride', type=count, default=4093, help='every which float of both signs errors are measured at')


def seconds(call, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def main():
    a = parse_arguments(__doc__, add_arguments)
    forward, backward = ACTIVATIONS[a.activation]
    x, dy = torch.randn(a.elements), torch.randn(a.elements)
    y = forward(x)
    calls = {'forward': lambda: forward(x), 'backward': lambda: backward(dy, x, y)}
    theirs, ours = {name: [] for name in calls}, []
    for call in calls.values():
        seconds(call, 3)
    for _ in range(a.rounds):
        for name, call in calls.items():
            theirs[name] += seconds(call, a.repeats)
        ours.append(bench(a, 'kernel', 'activation', 'elements'))
    result = {'activation': a.activation, 'elements': a.elements, 'threads': a.threads, 'torch': torch.__version__,
              'isa': ours[0]['isa']}
    for name, arrays in (('forward', 2), ('backward', 3)):
        gbs = statistics.median(row[f'gbs_{name}'] for row in ours)
        torch_gbs = arrays * 4e-9 * a.elements / statistics.median(theirs[name])
        result |= {f'gbs_{name}': gbs, f'torch_gbs_{name}': torch_gbs, f'ratio_{name}': gbs / torch_gbs}
    print(json.dumps(result | {'errors': PeerErrors(a).rows(a.activation)}))


if __name__ == '__main__':
    main()
