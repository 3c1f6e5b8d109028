"""Save and restore the states of all random generators: Python's, NumPy's, torch's and the accelerators'."""

import random
from typing import Any

import torch

GeneratorStates = dict[str, Any]  # its keys: see `capture`


def capture() -> GeneratorStates:
    """Return the generator states as plain values and CPU tensors, which `torch.load(weights_only=True)` opens.

    Keys: "python", "numpy" (None without NumPy), "torch", "accelerator" (its type, such as "cuda", or None) and
    "devices" (one state for each of its devices). Draws nothing.
    """
    kind, states = _devices()
    return {
        "python": random.getstate(),
        "numpy": _numpy_state(),
        "torch": torch.get_rng_state(),
        "accelerator": kind,
        "devices": states,
    }


def restore(states: GeneratorStates) -> list[str]:
    """Set all generators to states that `capture` returned; return a sentence for each that could not be set.

    Where this machine has no such generator, or another number of devices, that is no error: the other generators
    are set, and numbers drawn from this one will differ. Raises ValueError, before anything is set, when the states
    are not such states.
    """
    numpy = _numpy()
    kind, current = _devices()
    fits = states["accelerator"] == kind and len(states["devices"]) == len(current)
    try:  # first on generators that nobody draws from: a state that is refused then changes nothing
        random.Random().setstate(states["python"])
        torch.Generator().set_state(states["torch"])
        if numpy is not None and states["numpy"] is not None:
            numpy.random.RandomState().set_state(_with_array(numpy, states["numpy"]))
        if fits and [state.shape for state in states["devices"]] != [state.shape for state in current]:
            raise ValueError(f"states of {kind} devices of another size")
    except (TypeError, ValueError, RuntimeError, LookupError, AttributeError) as error:
        raise ValueError(f"These are not the states of random generators: {error}") from error

    random.setstate(states["python"])
    torch.set_rng_state(states["torch"])
    notes = []
    if numpy is not None and states["numpy"] is not None:
        numpy.random.set_state(_with_array(numpy, states["numpy"]))
    elif (numpy is None) != (states["numpy"] is None):
        notes.append("NumPy's random state is not restored: NumPy is installed here or there, not in both.")
    if fits:
        for index, state in enumerate(states["devices"]):
            _set_device(kind, index, state)
    else:
        saved, here = _count(states["accelerator"], states["devices"]), _count(kind, current)
        notes.append(
            f"The accelerator's random state is not restored: saved with {saved}, here {here}. What is drawn on it "
            "will differ from the first run."
        )
    return notes


def _count(kind, devices):
    return f"{len(devices)} × {kind}" if kind else "none"


def _devices():
    """Return the type of the accelerator, or None, and the generator state of each of its devices."""
    if not torch.accelerator.is_available():
        return None, []
    kind = torch.accelerator.current_accelerator().type
    if kind == "mps":  # one device, and functions without an index
        return kind, [torch.mps.get_rng_state()]
    module = torch.get_device_module(kind)
    return kind, [module.get_rng_state(index) for index in range(torch.accelerator.device_count())]


def _set_device(kind, index, state):
    if kind == "mps":
        torch.mps.set_rng_state(state)
    else:
        torch.get_device_module(kind).set_rng_state(state, index)


def _numpy():
    try:
        import numpy
    except ImportError:  # torch runs without NumPy, and then nothing draws from it
        return None
    return numpy


def _numpy_state():
    numpy = _numpy()
    if numpy is None:
        return None
    state = numpy.random.get_state(legacy=False)
    return state | {"state": {"key": state["state"]["key"].tolist(), "pos": int(state["state"]["pos"])}}


def _with_array(numpy, state):
    """Return NumPy's state with its key as an array again: safe loading knows none, so it was kept as a list."""
    return state | {"state": state["state"] | {"key": numpy.array(state["state"]["key"], dtype=numpy.uint32)}}
