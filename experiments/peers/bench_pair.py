"""What the scripts that time PyTorch and actlab in turns share: bound threads, arguments, the call of actlab."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

CORES = os.sched_getaffinity(0)  # before PyTorch binds this thread to one core, which a child would inherit
os.environ.setdefault('OMP_PROC_BIND', 'true')
try:
    import torch
except ImportError:
    sys.exit('PyTorch is missing: apt-get install python3-torch, then run this with /usr/bin/python3')


def count(text):
    """An argument that counts something: a whole number from 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f'{text} is not at least 1')
    return value


def output_of(command, **options):
    """What a program of ours prints; its messages go where ours go, and its failure ends this script."""
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(f'{error}')


def parse_arguments(description, own):
    """Those that `own` adds to the parser, and those of all such scripts; PyTorch gets its threads."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    own(parser)
    parser.add_argument('--threads', type=count, default=2)
    parser.add_argument('--rounds', type=count, default=5, help='turns of both programs')
    parser.add_argument('--repeats', type=count, default=10, help='steps or passes a turn')
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument('--actlab', type=pathlib.Path, default=root / 'build/release/actlab')
    arguments = parser.parse_args()
    if not arguments.actlab.exists():
        sys.exit(f'{arguments.actlab} is missing: build it with cmake --preset release && cmake --build --preset release')
    torch.set_num_threads(arguments.threads)
    return arguments


def bench(arguments, what, *names):
    """The object that `actlab bench WHAT` prints, given these arguments and those of all such scripts."""
    words = [word for name in (*names, 'threads', 'repeats') for word in (f'--{name}', str(getattr(arguments, name)))]
    command = [arguments.actlab, 'bench', what, *words, '--format', 'json']
    return json.loads(output_of(command, preexec_fn=lambda: os.sched_setaffinity(0, CORES)))
