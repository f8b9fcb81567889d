"""The largest errors of actlab's and PyTorch's activations at the same floats, as the program peer_errors measures them."""
import json
import pathlib
import sys
import tempfile

from bench_pair import output_of, torch
from torch_activations import ACTIVATIONS, values


class PeerErrors:
    """Every `stride`-th float of both signs up to `most`, written once; the program lies beside actlab's."""

    def __init__(self, arguments, most=None):
        self.program = arguments.actlab.with_name('peer_errors')
        if not self.program.exists():
            sys.exit(f'{self.program} is missing: cmake --build --preset release --target peer_errors')
        self.points = ['--stride', str(arguments.stride)] + ([] if most is None else ['--most', str(most)])
        self.folder = tempfile.TemporaryDirectory()
        points = pathlib.Path(self.folder.name) / 'points.f32'
        self.run('--points', str(points))
        self.x = torch.frombuffer(bytearray(points.read_bytes()), dtype=torch.float32)

    def run(self, *words):
        return output_of([self.program, *self.points, *words])

    def rows(self, activation):
        """Who computed -> f, f_at, df, df_at: the instruction sets of this CPU, and torch where it has the function. None
        where the activation promises no accuracy."""
        words = ['--activation', activation, '--format', 'json']
        if activation in ACTIVATIONS:
            path = pathlib.Path(self.folder.name) / 'values.f32'
            path.write_bytes(torch.cat(values(activation, self.x)).numpy().tobytes())
            words += ['--values', str(path)]
        rows = json.loads(self.run(*words))
        if not rows[0]['promised']:
            return None
        return {{'values': 'torch'}.get(row['by'], row['by']): {key: row[key] for key in ('f', 'f_at', 'df', 'df_at')}
                for row in rows}
