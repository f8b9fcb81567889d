#!/usr/bin/env python3
"""Prints the table of largest errors of kernels/activations/README.md, of the activations that promise the contract: actlab's on
every instruction set of this CPU, PyTorch's and oneDNN's, at the same floats, each "f / f'"; the peers' also where |x| <= 4,
without the tails.

  /usr/bin/python3 experiments/peers/error_table.py --stride 509

Needs PyTorch (Debian: python3-torch, run by /usr/bin/python3), a built actlab and its program peer_errors; for the columns of
oneDNN also peer_onednn_eltwise, which is built where oneDNN is.
"""
import json

from bench_pair import count, output_of, parse_arguments
from peer_errors import PeerErrors

NEAR = 4
COLUMNS = ('baseline', 'avx2', 'avx512', 'PyTorch', f'PyTorch, \\|x\\| ≤ {NEAR}', 'oneDNN', f'oneDNN, \\|x\\| ≤ {NEAR}')


def number(value):
    if isinstance(value, str):  # infinite: the peer gives NaN somewhere
        return value
    return f'{value:.2f}' if value < 1000 else f'{value:.1e}'.replace('e+0', 'e').replace('e+', 'e')


def onednn_rows(a, *words):
    """Activation -> its errors by oneDNN; the timing is of one element."""
    program = a.actlab.with_name('peer_onednn_eltwise')
    if not program.exists():
        return {}
    words = ['--elements', '1', '--rounds', '1', '--stride', str(a.stride), *words, '--format', 'json']
    rows = json.loads(output_of([program, *words]))
    return {row['activation'].split('(')[0]: {'f': row['onednn_f'], 'df': row['onednn_df']} for row in rows}


def main():
    a = parse_arguments(__doc__, lambda parser: parser.add_argument('--stride', type=count, default=509))
    listed = json.loads(output_of([a.actlab, 'list', 'activations', '--format', 'json']))
    everywhere, near = PeerErrors(a), PeerErrors(a, NEAR)
    onednn, onednn_near = onednn_rows(a), onednn_rows(a, '--most', str(NEAR))
    print('| activation |', ' | '.join(COLUMNS), '|')
    print('|---' * (len(COLUMNS) + 1) + '|')
    for name in [row['name'].split('(')[0] for row in listed if row['kind'] == 'activation']:
        rows = everywhere.rows(name)
        if rows is None:
            continue
        found = [rows.get('baseline'), rows.get('avx2'), rows.get('avx512'), rows.get('torch'),
                 near.rows(name).get('torch'), onednn.get(name), onednn_near.get(name)]
        cells = (f"{number(row['f'])} / {number(row['df'])}" if row else '-' for row in found)
        print(f'| {name} |', ' | '.join(cells), '|', flush=True)


if __name__ == '__main__':
    main()
