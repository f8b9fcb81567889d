#!/usr/bin/env python3
"""Prints the numbers of experiments/tables/kernels_sm90_instructions.md: instructions an element of the CUDA kernels of the
activations that are named, as the compiler wrote them, on the longest way round the loop for aligned arrays; and the greatest
share of a copy's bandwidth that their number leaves on an H200.

  experiments/peers/instruction_table.py build/release relu silu gelu

Needs a build with CUDA for one architecture (-DCMAKE_CUDA_ARCHITECTURES=90), and cuobjdump and nvdisasm of the CUDA toolkit.
"""
import pathlib
import re
import subprocess
import sys

INSTRUCTIONS, BANDWIDTH = 3.09e13, 4.3e12  # an H200's a second: instructions of single threads, bytes of a copy
SIZES = {'float': 4, 'BFloat16': 2, 'Float16': 2}
ARRAYS = {'forward': 2, 'learned': 2, 'backward': 3, 'gate': 3, 'gate_backward': 5}  # read and written


def output_of(words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def kernels(path):
    """Demangled name and instructions by address of each kernel."""
    parts = re.split(r'Function : (\S+)', output_of(['cuobjdump', '--dump-sass', path]))[1:]
    names = output_of(['c++filt'], input='\n'.join(parts[::2])).split('\n')
    for name, code in zip(names, parts[1::2]):
        yield name, {int(at, 16): text for at, text in re.findall(r'/\*([0-9a-f]{4,})\*/ +(.+?) *;', code)}


def target_of(text):
    found = re.search(r'BRA.* 0x([0-9a-f]+)', text)
    return found and int(found[1], 16)


def way_round(code, head, end):
    """The most instructions from the head of a loop to the branch at its end, and the stores of packs among them: the ways
    round some of it are for special parameters."""
    most = {head: (1, 0)}
    for at in filter(most.__contains__, range(head, end, 16)):
        target = target_of(code[at])
        for to in ([target] if target else []) + ([at + 16] if not target or code[at].startswith('@') else []):
            if at < to <= end:
                step = (most[at][0] + 1, most[at][1] + ('STG.E.128' in code[at]))
                most[to] = max(step, most.get(to, step))
    return most[end]


def counts(path):
    """(Kernel, type) -> instructions an element. Of its loops the longest counts: the others are for special parameters."""
    found = {}
    for name, code in kernels(path):
        kernel = re.search(r'(map|gate|gate_backward|learned)_kernel<(?:\(int\))?([48]), (.*)', name)
        if not kernel or 'OfChannels' in name:
            continue
        what, size, rest = kernel.groups()
        if what == 'map':
            what = 'forward' if 'Forward<' in rest else 'backward'
        key = what, re.search(r'\b(B?Float16|float)\b', rest)[1]
        for end, text in code.items():
            head = target_of(text) or end
            if any('LDG.E.128' in code[at] for at in range(head, end, 16)):
                count, stores = way_round(code, head, end)
                elements = stores * int(size) / (2 if what == 'gate_backward' else 1)
                found[key] = max(found.get(key, 0), count / elements)
    return found


def main():
    build, *activations = sys.argv[1:]
    print('| kernel | f32 | bf16 | f16 | f32, of a copy | bf16 and f16, of a copy |\n|---|---:|---:|---:|---:|---:|')
    for name in activations:
        found = counts(next(pathlib.Path(build).rglob(f'{name}_cuda.cu.o')))
        for what in dict.fromkeys(what for what, _ in found):
            share = {type: SIZES[type] * ARRAYS[what] * INSTRUCTIONS / BANDWIDTH / found[what, type] for type in SIZES}
            print(f'| {name} {what} |', ' | '.join(f'{found[what, type]:.1f}' for type in SIZES), '|',
                  f"{share['float']:.2f} | {share['BFloat16']:.2f} |")


if __name__ == '__main__':
    main()
