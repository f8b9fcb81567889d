#!/usr/bin/env python3
"""Times a training step of the small CNN in PyTorch and in actlab, in turns, and prints the ratio as one JSON object.

  python3 experiments/peers/compare_step.py --activation gelu --batch 128 --threads 2

Needs PyTorch (Debian: python3-torch, run by /usr/bin/python3) and a built actlab. Both sides run float32 on random images that
lie in memory, threads bound to cores; PyTorch is timed in both memory layouts and its faster one counts.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

CORES = os.sched_getaffinity(0)  # before PyTorch binds this thread to one core, which a child would inherit
os.environ.setdefault('OMP_PROC_BIND', 'true')
try:
    import torch
except ImportError:
    sys.exit('PyTorch is missing: apt-get install python3-torch, then run this with /usr/bin/python3')

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


def torch_step(activation, batch, layout):
    """A training step of the same network on a fixed batch, as a function without arguments."""
    nn = torch.nn
    model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), Activation(activation), nn.MaxPool2d(2),
                          nn.Conv2d(32, 64, 3, padding=1), Activation(activation), nn.MaxPool2d(2),
                          nn.Flatten(), nn.Linear(64 * 8 * 8, 10)).to(memory_format=layout)
    images = torch.randn(batch, 3, 32, 32).to(memory_format=layout)
    labels = torch.randint(0, 10, (batch,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, nesterov=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
    return step


def torch_seconds(step, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--activation', default='gelu', choices=ACTIVATIONS)
    parser.add_argument('--batch', type=int, default=128)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--rounds', type=int, default=5, help='turns of both programs')
    parser.add_argument('--repeats', type=int, default=10, help='steps a turn')
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument('--actlab', type=pathlib.Path, default=root / 'build/release/actlab')
    a = parser.parse_args()
    if not a.actlab.exists():
        sys.exit(f'{a.actlab} is missing: build it with cmake --preset release && cmake --build --preset release')

    torch.set_num_threads(a.threads)
    layouts = {'NCHW': torch.contiguous_format, 'NHWC': torch.channels_last}
    steps = {name: torch_step(a.activation, a.batch, layout) for name, layout in layouts.items()}
    for step in steps.values():
        torch_seconds(step, 3)
    torch_times = {name: [] for name in steps}
    ours = []
    for _ in range(a.rounds):
        for name, step in steps.items():
            torch_times[name] += torch_seconds(step, a.repeats)
        command = [a.actlab, 'bench', 'step', '--activation', a.activation, '--batch', str(a.batch),
                   '--threads', str(a.threads), '--repeats', str(a.repeats), '--format', 'json']
        ours.append(json.loads(subprocess.run(command, check=True, capture_output=True,
                                              preexec_fn=lambda: os.sched_setaffinity(0, CORES)).stdout))
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
