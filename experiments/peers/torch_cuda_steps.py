#!/usr/bin/env python3
"""Times in PyTorch, on a CUDA device, what `actlab bench step` and `actlab bench ffn` time there; prints CSV.

  python3 experiments/peers/torch_cuda_steps.py --batch 128 1024 --tokens 4096

The training step of the small CNN, in both memory layouts, and the feed-forward network, forward and backward; in float32
(without TF32) and by autocast in bfloat16; eager and by torch.compile. `seconds` is the median of rounds in which steps follow
each other, as in training, and the device is waited for at both ends. What PyTorch cannot do is said on standard error.
Needs PyTorch 2.1.
"""
import argparse
import contextlib
import statistics
import sys
import time

from bench_pair import count, torch
from compare_ffn import PLAIN, FeedForward
from compare_step import small_cnn, torch_step

STEPS = 20  # of a round
LAYOUTS = {'NCHW': torch.contiguous_format, 'NHWC': torch.channels_last}
PRECISIONS = {'f32': contextlib.nullcontext, 'bf16': lambda: torch.autocast('cuda', dtype=torch.bfloat16)}


def eager(model):
    return model


def compiled(model):
    torch.compiler.reset()  # it gives up after a few networks of the same code
    return torch.compile(model, dynamic=False)


def ffn_step(model, tokens, d, precision):
    x = torch.randn(tokens, d, requires_grad=True)
    with precision:
        dy = torch.randn_like(model(x))

    def step():
        model.zero_grad(set_to_none=True)
        x.grad = None
        with precision:
            y = model(x)
        y.backward(dy)
    return step


def seconds(step, rounds):
    times = []
    for _ in range(rounds + 2):  # the first ones compile, choose algorithms and warm up
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(STEPS):
            step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / STEPS)
    return statistics.median(times[2:])


def print_row(subject, samples, make_step, rounds):
    try:
        with torch.device('cuda'):
            step = make_step()
        time_of_step = seconds(step, rounds)
    except Exception as error:  # torch.compile fails in many ways, where Triton or a compiler is missing
        print(f'{subject} is not timed: {error}', file=sys.stderr)
    else:
        print(torch.__version__, subject, samples, time_of_step, samples / time_of_step, sep=',', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--activation', default='gelu', choices=PLAIN)
    parser.add_argument('--batch', type=count, nargs='+', default=[128], help='images of a step')
    parser.add_argument('--tokens', type=count, default=512)
    parser.add_argument('--d', type=count, default=768)
    parser.add_argument('--width', type=count, default=3072)
    parser.add_argument('--rounds', type=count, default=20)
    a = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit('PyTorch sees no CUDA device')
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True

    print('torch,mode,precision,activation,subject,layout,samples,seconds,samples_per_second')
    for mode in (eager, compiled):
        for precision, context in PRECISIONS.items():
            subject = f'{mode.__name__},{precision},{a.activation}'
            print_row(f'{subject},ffn,', a.tokens, lambda: ffn_step(
                mode(FeedForward(a.activation, a.d, a.width)), a.tokens, a.d, context()), a.rounds)
            for name, layout in LAYOUTS.items():
                for batch in a.batch:
                    print_row(f'{subject},small_cnn,{name}', batch, lambda: torch_step(
                        mode(small_cnn(a.activation, layout)), batch, layout, context()), a.rounds)


if __name__ == '__main__':
    main()
