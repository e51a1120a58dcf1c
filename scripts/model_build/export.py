"""Writes the trained network as Kaldi's ``final.mdl`` (transition model and nnet3 network, binary)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from model_build.layout import LEFT, OFFSETS, RIGHT
from model_build.phones import FINAL_STATES, FINALS, PHONES, STATES

if TYPE_CHECKING:
    from model_build.network import Network

Array = NDArray[np.float32]
Affine = tuple[Array, Array]
"""Weights (outputs × inputs) and bias (outputs)."""

PHONE_NUMBER = {phone: number for number, phone in enumerate(PHONES, start=1)}
UNKNOWN_NUMBER = len(PHONES) + 1

TRIPLES = (
    *((PHONE_NUMBER[state.phone], state.index, output) for output, state in enumerate(STATES)),
    # The unknown phone has one state for every output, so that any sound can pass as it.
    *((UNKNOWN_NUMBER, 0, output) for output in range(len(STATES))),
)
"""Phone, state and output of each transition state, sorted as Kaldi demands."""

PRIOR_FLOOR = 3e-3
"""Rarer outputs count as this frequent: else rare sounds win every frame of silence."""


def transition_ids(output: int, unknown: bool = False) -> tuple[int, int]:
    """The transition-ids that enter and that repeat the state of ``output``, as itself or as the unknown."""
    number = output + 1 + (len(STATES) if unknown else 0)
    return 2 * number, 2 * number - 1


def affines(network: Network) -> list[Affine]:
    """The layers of ``network`` with all normalisations folded into the affines they follow or precede."""
    found = []
    for layer, norm in zip([*network.affines, network.output], [*network.norms, None], strict=True):
        weight = _array(layer.weight)
        bias = np.zeros(len(weight), np.float32) if layer.bias is None else _array(layer.bias)
        if not found:
            mean, scale = _array(network.mean)[:, 0], _array(network.scale)[:, 0]
            bias = bias + np.einsum("oik,i->o", weight, -mean * scale)
            weight = weight * scale[None, :, None]
        if norm is not None:
            factor = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
            bias = (bias - _array(norm.running_mean)) * factor + _array(norm.bias)
            weight = weight * factor[:, None, None]
        # Kaldi joins whole frames one after another; here they are the last axis.
        found.append((weight.transpose(0, 2, 1).reshape(len(weight), -1), bias))
    return [(np.asarray(weight, np.float32), np.asarray(bias, np.float32)) for weight, bias in found]


def write_model(file: Path, layers: list[Affine], priors: Array) -> None:
    """Write ``layers`` and the outputs' ``priors`` (floored here) to ``file``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    floored = np.maximum(priors, PRIOR_FLOOR)
    content = b"\0B" + _transition_model() + _network(layers) + _token("<LeftContext>") + _int(LEFT)
    content += _token("<RightContext>") + _int(RIGHT) + _token("<Priors>")
    file.write_bytes(content + _vector(np.asarray(floored / floored.sum(), np.float32)))


def _transition_model() -> bytes:
    topology = _ints(list(range(1, UNKNOWN_NUMBER + 1)))
    # Entry 0 is for one state, entry 1 for three.
    entry_of = [-1, *(int(phone in FINALS) for phone in PHONES), 0]
    topology += _ints(entry_of) + _int(2) + _entry(1) + _entry(FINAL_STATES)
    triples = b"".join(_int(phone) + _int(state) + _int(output) for phone, state, output in TRIPLES)
    chances = np.full(2 * len(TRIPLES) + 1, np.log(0.5), np.float32)
    chances[0] = 0
    parts = (
        *(_token("<TransitionModel>"), _token("<Topology>"), topology, _token("</Topology>")),
        *(_token("<Triples>"), _int(len(TRIPLES)), triples, _token("</Triples>")),
        *(_token("<LogProbs>"), _vector(chances), _token("</LogProbs>"), _token("</TransitionModel>")),
    )
    return b"".join(parts)


def _entry(states: int) -> bytes:
    """A chain of ``states`` states and the final one: output class, then transitions to itself and onward."""
    content = _int(states + 1)
    for state in range(states):
        content += _int(state) + _int(2) + _int(state) + _float(0.5) + _int(state + 1) + _float(0.5)
    return content + _int(-1) + _int(0)


def _network(layers: list[Affine]) -> bytes:
    last = len(OFFSETS)
    lines = [f"input-node name=input dim={layers[0][0].shape[1] // len(OFFSETS[0])}"]
    source = "input"
    for number, offsets in enumerate(OFFSETS):
        joined = ", ".join(source if not offset else f"Offset({source}, {offset})" for offset in offsets)
        lines.append(f"component-node name=aff{number} component=aff{number} input=Append({joined})")
        summed = f"Sum({source}, aff{number})" if number else f"aff{number}"
        lines.append(f"component-node name=relu{number} component=relu{number} input={summed}")
        source = f"relu{number}"
    lines.append(f"component-node name=aff{last} component=aff{last} input={source}")
    lines.append(f"component-node name=logsm component=logsm input=aff{last}")
    lines.append("output-node name=output input=logsm objective=linear")
    components: list[tuple[str, bytes]] = []
    for number, (weight, bias) in enumerate(layers):
        components.append((f"aff{number}", _affine(weight, bias)))
        final = number == last
        name, kind = (
            ("logsm", "LogSoftmaxComponent") if final else (f"relu{number}", "RectifiedLinearComponent")
        )
        components.append((name, _nonlinearity(kind, len(bias))))
    head = _token("<Nnet3>") + ("\n" + "\n".join(lines) + "\n\n").encode()
    body = b"".join(_token("<ComponentName>") + _token(name) + content for name, content in components)
    return head + _token("<NumComponents>") + _int(len(components)) + body + _token("</Nnet3>")


def _affine(weight: Array, bias: Array) -> bytes:
    head = _token("<FixedAffineComponent>") + _token("<LinearParams>") + _matrix(weight)
    return head + _token("<BiasParams>") + _vector(bias) + _token("</FixedAffineComponent>")


def _nonlinearity(kind: str, size: int) -> bytes:
    content = _token(f"<{kind}>") + _token("<Dim>") + _int(size)
    none, zero = _vector(np.zeros(0, np.float32)), _float(0)
    # Statistics of training, all empty.
    for name, value in (
        *(
            ("ValueAvg", none),
            ("DerivAvg", none),
            ("Count", zero),
            ("OderivRms", none),
            ("OderivCount", zero),
        ),
        *(("NumDimsSelfRepaired", zero), ("NumDimsProcessed", zero)),
    ):
        content += _token(f"<{name}>") + value
    return content + _token(f"</{kind}>")


def _array(tensor: object) -> Array:
    return np.asarray(tensor.detach().numpy(), np.float32)  # type: ignore[attr-defined]


def _token(text: str) -> bytes:
    return text.encode() + b" "


def _int(value: int) -> bytes:
    return b"\4" + struct.pack("<i", value)


def _float(value: float) -> bytes:
    return b"\4" + struct.pack("<f", value)


def _ints(values: list[int]) -> bytes:
    return b"\4" + struct.pack(f"<{len(values) + 1}i", len(values), *values)


def _matrix(values: Array) -> bytes:
    """Two bytes a weight, spread evenly over the range of the matrix: half the size, the same scores."""
    least, spread = float(values.min()), float(np.ptp(values)) or 1.0
    header = struct.pack("<ffii", least, spread, *values.shape)
    return _token("CM2") + header + np.round((values - least) * (65535 / spread)).astype("<u2").tobytes()


def _vector(values: Array) -> bytes:
    return _token("FV") + _int(len(values)) + values.astype("<f4").tobytes()
