#!/usr/bin/env python3
"""Holds a training step of actlab's models against PyTorch.

  build/release/actlab run experiments/configs/synthetic_smoke.toml activation=gelu seed=0 --trace gelu.safetensors
  build/release/actlab run experiments/configs/text_ffn.toml activation=geglu seed=0 --trace geglu.safetensors
  /usr/bin/python3 experiments/peers/parity_torch.py gelu.safetensors geglu.safetensors

Rebuilds the network from each trace with PyTorch's own layers, runs the same batch, and prints for every tensor the
largest difference as a part of the reference's largest element, beside its bar. Exit code 0 where all are within their
bars, 1 where one is not, 2 where a trace cannot be checked. Needs PyTorch (Debian: python3-torch, run by
/usr/bin/python3). The reference computes in float64, as float32 has errors of its own; --float32 shows those.
"""
import argparse
import json
import struct
import sys
import tomllib

try:
    import numpy
    import torch
except ImportError:
    print('PyTorch is missing: apt-get install python3-torch, then run this with /usr/bin/python3', file=sys.stderr)
    sys.exit(2)

from parity_models import Activation, Bert, Unfit, small_cnn

nn = torch.nn
functional = nn.functional

BARS = {'logits': 1e-5, 'loss': 1e-5, 'gradient': 1e-4, 'buffer': 1e-5}

# Where the slope of an activation jumps.
CORNERS = {'relu': [0], 'leaky_relu': [0], 'elu': [0], 'selu': [0], 'hardswish': [-3, 3]}


def read_safetensors(path):
    """Arrays by name, and the metadata."""
    types = {'F32': '<f4', 'I32': '<i4', 'I64': '<i8', 'F64': '<f8', 'U8': 'u1'}
    try:
        with open(path, 'rb') as file:
            data = file.read()
        length, = struct.unpack('<Q', data[:8])
        header = json.loads(data[8:8 + length])
        metadata = header.pop('__metadata__', {})
        arrays = {}
        for name, entry in header.items():
            begin, end = entry['data_offsets']
            elements = numpy.frombuffer(data[8 + length + begin:8 + length + end], types[entry['dtype']])
            arrays[name] = torch.from_numpy(elements.reshape(entry['shape']).copy())
        return arrays, metadata
    except (OSError, KeyError, ValueError, struct.error) as error:
        raise Unfit(f'no readable trace: {error}') from error


class Trace:
    """A step as actlab computed it, its tensors in PyTorch's layouts."""

    def __init__(self, path, dtype):
        self.arrays, metadata = read_safetensors(path)
        self.dtype = dtype
        try:
            self.config = tomllib.loads(metadata['config'])
            self.options = self.config['model']
            self.activation = metadata['activation']
            self.labels = self.arrays['labels'].long()
            if self.options.get('dropout', 0) != 0:
                raise Unfit('PyTorch does not share the random numbers of dropout: set model.dropout=0')
            self.model = self.build().to(dtype)
        except (KeyError, ValueError) as error:
            raise Unfit(f'no trace of actlab: {error}') from error

    def tensor(self, name):
        if name not in self.arrays:
            raise Unfit(f'it has no {name}: another model, or an older trace')
        return self.arrays[name].to(self.dtype)

    def step(self, logits):
        """Loss and the gradients by name, after a forward pass."""
        loss = functional.cross_entropy(logits, self.labels,
                                        label_smoothing=self.config['train'].get('label_smoothing', 0.0))
        self.model.zero_grad()
        loss.backward()
        return logits.detach(), loss.detach(), {'gradient.' + name: parameter.grad.clone()
                                                for name, parameter in self.model.named_parameters()}


class ImageTrace(Trace):
    def build(self):
        self.images = self.arrays['input'].permute(0, 3, 1, 2).contiguous().to(self.dtype)
        model, self.flattened = small_cnn(self.options, self.activation, *self.images.shape[1:],
                                          self.arrays['logits'].shape[1])
        return model

    def tensor(self, name):
        """OHWI becomes OIHW; of weights behind the flatten layer inputs (H, W, C) become (C, H, W)."""
        array = super().tensor(name)
        if array.dim() == 4:
            return array.permute(0, 3, 1, 2)
        if name.endswith('head.weight'):
            return array.reshape(-1, *self.flattened).permute(0, 3, 1, 2).reshape(array.shape)
        return array

    def run(self, nudge=None):
        """The step, with one element of a layer's output changed where a nudge (layer, element, amount) says so. Keeps
        the output of every layer."""
        x, outputs = self.images, {}
        for name, layer in self.model.named_children():
            x = layer(x)
            if nudge and nudge[0] == name:
                change = torch.zeros(x.shape, dtype=x.dtype)
                change.view(-1)[nudge[1]] = nudge[2]
                x = x + change
            outputs[name] = x.detach()
        self.outputs = outputs
        return self.step(x)

    def toss_ups(self, most=64):
        """Nudges that reverse what rounding decides: which of nearly equal elements a pool takes, on which side of a
        corner of the activation an element lies. The closest first. Elements that tie exactly see equal inputs."""
        found = []
        layers = list(self.model.named_children())
        corners = CORNERS.get(self.activation.partition('(')[0], [])
        for (before, _), (name, layer) in zip(layers, layers[1:]):
            x = self.outputs[before]
            least, most_gap = 1e-13 * x.abs().max(), 1e-6 * x.abs().max()
            if isinstance(layer, nn.MaxPool2d):
                n, c, h, w = x.shape
                numbers = torch.arange(x.numel()).reshape(x.shape)
                windows, places = (t[:, :, :h // 2 * 2, :w // 2 * 2].reshape(n, c, h // 2, 2, w // 2, 2)
                                   .permute(0, 1, 2, 4, 3, 5).reshape(-1, 4) for t in (x, numbers))
                (first, second), (winner, _) = (t.unbind(1) for t in windows.topk(2, dim=1))
                gaps = first - second
                for i in ((gaps > least) & (gaps < most_gap)).nonzero().flatten().tolist():
                    found.append(((gaps[i] / most_gap).item(), before, places[i, winner[i]].item(),
                                  -2 * gaps[i].item()))
            elif isinstance(layer, Activation):
                for corner in corners:
                    gaps = (x - corner).flatten()
                    for i in ((gaps.abs() > least) & (gaps.abs() < most_gap)).nonzero().flatten().tolist():
                        found.append(((gaps[i].abs() / most_gap).item(), before, i, -2 * gaps[i].item()))
        return [nudge for _, *nudge in sorted(found)[:most]]


class TextTrace(Trace):
    def build(self):
        tokens = self.arrays['input'].long()
        vocabulary = self.arrays['logits'].shape[1]
        width = next(array.shape[1] for name, array in self.arrays.items() if name.endswith('ffn.down.weight'))
        self.inputs = tokens, self.arrays['lengths'].long(), self.arrays['places'].long()
        return Bert(self.options, self.activation, vocabulary, tokens.shape[1], width)

    def run(self):
        return self.step(self.model(*self.inputs))

    def toss_ups(self):
        """Too few elements lie so near a corner, each with too small a share in a gradient, to matter here."""
        return []


KINDS = {'small_cnn': ImageTrace, 'bert_ffn': TextTrace, 'bert_encoder': TextTrace}


def open_trace(path, dtype):
    metadata = read_safetensors(path)[1]
    try:
        name = tomllib.loads(metadata['config'])['model']['name']
    except (KeyError, ValueError) as error:
        raise Unfit(f'no trace of actlab: {error}') from error
    if name not in KINDS:
        raise Unfit(f'the model is {name}, this script knows {", ".join(KINDS)}')
    return KINDS[name](path, dtype)


def largest(name, reference):
    """The size that a difference is measured by: the reference's largest element. A bias before a batch norm changes
    nothing, its gradient is 0 but for rounding: there that of the layer's weights."""
    layer = name.removeprefix('gradient.').removesuffix('.bias')
    if layer.startswith('conv') and layer.replace('conv', 'gradient.norm') + '.bias' in reference:
        name = f'gradient.{layer}.weight'
    size = reference[name].abs().max()
    return size if size > 0 else 1


def difference(name, trace, reference):
    return ((trace.tensor(name) - reference[name]).abs().max() / largest(name, reference)).item()


def bar(name):
    return BARS[name.partition('.')[0]]


def all_within(trace, reference):
    return all(difference(name, trace, reference) <= bar(name) for name in reference)


def reverse_toss_ups(trace, reference):
    """The reference's gradients with toss-ups reversed that bring them nearer to actlab's, as long as they are not
    within their bars; how many those are."""
    def distance(gradients):
        return sum((((trace.tensor(name) - g) / largest(name, gradients)) ** 2).sum() for name, g in gradients.items())

    best, reversed_ones = reference, 0
    for nudge in trace.toss_ups():
        if all_within(trace, best):
            break
        changed = trace.run(nudge)[2]
        other = {name: best[name] + changed[name] - reference[name] for name in best}
        if distance(other) < distance(best):
            best, reversed_ones = other, reversed_ones + 1
    return best, reversed_ones


def check(path, dtype):
    """Prints the table of a trace; whether all is within its bars."""
    trace = open_trace(path, dtype)
    with torch.no_grad():
        for name, parameter in trace.model.named_parameters():
            for kind in 'parameter.', 'gradient.':
                if trace.tensor(kind + name).shape != parameter.shape:
                    raise Unfit(f'{kind}{name} has another shape than {tuple(parameter.shape)}')
            parameter.copy_(trace.tensor('parameter.' + name))
    logits, loss, gradients = trace.run()
    buffers = {'buffer.' + name: buffer.clone() for name, buffer in trace.model.named_buffers()
               if not name.endswith('num_batches_tracked')}
    reversed_ones = 0
    if not all_within(trace, gradients):
        gradients, reversed_ones = reverse_toss_ups(trace, gradients)

    print(f'{path}: {trace.options["name"]}, {trace.activation}, {len(trace.labels)} labels, PyTorch {torch.__version__} in '
          f'{str(dtype).removeprefix("torch.")}')
    if reversed_ones:
        print(f'of the elements that rounding decides (ties of a pool, corners of the activation) {reversed_ones} were '
              'decided as actlab did')
    print(f'{"tensor":36} {"difference":>10} {"bar":>7}  ok')
    passed = True
    reference = {'logits': logits, 'loss': loss, **gradients, **buffers}
    for name in reference:
        measured = difference(name, trace, reference)
        ok = measured <= bar(name)  # no for NaN
        passed = passed and ok
        print(f'{name:36} {measured:10.2e} {bar(name):7.0e}  {"yes" if ok else "NO"}')
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('traces', nargs='+', metavar='TRACE')
    parser.add_argument('--float32', action='store_true', help='let PyTorch compute in float32')
    arguments = parser.parse_args()
    passed = True
    for path in arguments.traces:
        try:
            passed = check(path, torch.float32 if arguments.float32 else torch.float64) and passed
        except Unfit as error:
            print(f'{path}: {error}', file=sys.stderr)
            return 2
        except (RuntimeError, LookupError, TypeError, ValueError, AttributeError) as error:  # sizes, kinds, keys
            print(f'{path}: no trace of actlab that this script can check: {error!r}', file=sys.stderr)
            return 2
    print('all within their bars' if passed else 'NOT all within their bars')
    return 0 if passed else 1


if __name__ == '__main__':
    sys.exit(main())
