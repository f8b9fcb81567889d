#!/usr/bin/env python3
"""Times a training step of the small CNN in PyTorch and in actlab, in turns, and prints the ratio as one JSON object.

  python3 experiments/peers/compare_step.py --activation gelu --batch 128 --threads 2

Needs PyTorch (Debian: python3-torch, run by /usr/bin/python3) and a built actlab. Both sides run float32 on random images that
lie in memory, threads bound to cores; PyTorch is timed in both memory layouts and its faster one counts.
"""
import contextlib
import json
import os
import statistics
import time

from bench_pair import bench, count, parse_arguments, torch

ACTIVATIONS = {
    'relu': torch.nn.functional.relu,
    'leaky_relu': torch.nn.functional.leaky_relu,
    'elu': torch.nn.functional.elu,
    'silu': torch.nn.functional.silu,
    'mish': torch.nn.functional.mish,
    'gelu': torch.nn.functional.gelu,
    'gelu_tanh': lambda x: torch.nn.functional.gelu(x, approximate='tanh'),
}


class Activation(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.f = ACTIVATIONS[name]

    def forward(self, x):
        return self.f(x)


def small_cnn(activation, layout):
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), Activation(activation), nn.MaxPool2d(2),
                         nn.Conv2d(32, 64, 3, padding=1), Activation(activation), nn.MaxPool2d(2),
                         nn.Flatten(), nn.Linear(64 * 8 * 8, 10)).to(memory_format=layout)


def torch_step(model, batch, layout, precision=contextlib.nullcontext()):
    """A training step of the network on a fixed batch, as a function without arguments."""
    images = torch.randn(batch, 3, 32, 32).to(memory_format=layout)
    labels = torch.randint(0, 10, (batch,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with precision:
            loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
    return step


def torch_seconds(step, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return times


def add_arguments(parser):
    parser.add_argument('--activation', default='gelu', choices=ACTIVATIONS)
    parser.add_argument('--batch', type=count, default=128)


def main():
    a = parse_arguments(__doc__, add_arguments)
    layouts = {'NCHW': torch.contiguous_format, 'NHWC': torch.channels_last}
    steps = {name: torch_step(small_cnn(a.activation, layout), a.batch, layout) for name, layout in layouts.items()}
    for step in steps.values():
        torch_seconds(step, 3)
    torch_times = {name: [] for name in steps}
    ours = []
    for _ in range(a.rounds):
        for name, step in steps.items():
            torch_times[name] += torch_seconds(step, a.repeats)
        ours.append(bench(a, 'step', 'activation', 'batch'))
    medians = {name: statistics.median(times) for name, times in torch_times.items()}
    layout = min(medians, key=medians.get)
    seconds = statistics.median(row['seconds'] for row in ours)
    print(json.dumps({
        'activation': a.activation, 'batch': a.batch, 'threads': a.threads, 'torch': torch.__version__,
        'torch_layout': layout, 'torch_seconds': medians[layout], 'actlab_seconds': seconds,
        'ratio': medians[layout] / seconds, 'actlab_saved_bytes': ours[0]['saved_bytes'], 'isa': ours[0]['isa'],
        'OPENBLAS_CORETYPE': os.environ.get('OPENBLAS_CORETYPE')}))


if __name__ == '__main__':
    main()
