"""Blocks: their ports and flip-flops as attributes."""

from __future__ import annotations

from typing import Any, Iterator, List, Union

from ._ffi import ffi
from ._library import Error, check, library
from ._ports import PORTS

Value = Union[int, List[int]]
KINDS = ("in", "out", "state")
PLACES = ("inputs", "outputs", "state")


def blocks() -> List[str]:
    """Returns the names of all blocks."""
    return sorted(PORTS)


class Ports:
    """The inputs, outputs or flip-flops of a block: a port is an attribute, an integer or a list of them.

    Vectors of more than 64 bits are integers, too. A list that is shorter than the port sets the first elements and
    0 the others."""

    __slots__ = ("_block", "_kind", "_signals", "_struct", "_writable", "_changed")

    def __init__(self, block: str, kind: str) -> None:
        signals = {name: (bits, count) for k, name, bits, count in PORTS[block][2] if k == kind}
        put = object.__setattr__
        put(self, "_block", block)
        put(self, "_kind", kind)
        put(self, "_signals", signals)
        put(self, "_struct", ffi.new(f"struct lockstep_{block}_{kind} *") if signals else ffi.NULL)
        put(self, "_writable", False)
        put(self, "_changed", True)

    def __dir__(self) -> Iterator[str]:
        return iter(self._signals)

    def __repr__(self) -> str:
        return f"<{self._kind} of {self._block}: " + ", ".join(f"{n}={getattr(self, n)}" for n in self._signals) + ">"

    def _find(self, name: str) -> Any:
        if name not in self._signals:
            raise AttributeError(f"{self._block} has no {self._kind} '{name}': there are "
                                 + (", ".join(self._signals) or "none"))
        return self._signals[name]

    def __getattr__(self, name: str) -> Value:
        bits, count = self._find(name)
        value = getattr(self._struct, name)
        if bits > 64:
            words = [value[2 * n] | value[2 * n + 1] << 64 for n in range(count)]
            return words if count > 1 else words[0]
        return [int(v) for v in value] if count > 1 else int(value)

    def __setattr__(self, name: str, value: Any) -> None:
        bits, count = self._find(name)
        if not self._writable:
            raise AttributeError(f"'{name}' of {self._block} is set by the block")
        values = [value] if count == 1 else list(value)
        if len(values) > count:
            raise ValueError(f"{name} of {self._block} has at most {count} elements, not {len(values)}")
        for v in values:
            if not 0 <= int(v) < 1 << bits:
                raise ValueError(f"{name} of {self._block} has {bits} bits: {v} does not fit")
        values = [int(v) for v in values] + [0] * (count - len(values))
        if bits > 64:
            words = getattr(self._struct, name)
            for n, v in enumerate(values):
                words[2 * n], words[2 * n + 1] = v & (1 << 64) - 1, v >> 64
        elif count > 1:
            setattr(self._struct, name, values)
        else:
            setattr(self._struct, name, values[0])
        object.__setattr__(self, "_changed", True)


class View:
    """A block's inputs, outputs and state, and each port by its name in Verilog (ready_i, grant_o, last_q), or without
    the ending where no other has that name."""

    inputs: Ports
    outputs: Ports
    state: Ports

    def __init__(self, name: str) -> None:
        for attribute, kind in zip(PLACES, KINDS):
            object.__setattr__(self, attribute, Ports(name, kind))
        object.__setattr__(self, "_name", name)

    @property
    def name(self) -> str:
        return self._name

    def _find(self, name: str) -> Any:
        """Returns where a port is, and its name there."""
        found = [place for place in PLACES if name in getattr(self, place)._signals]
        if len(found) > 1:
            raise AttributeError(f"'{name}' of {self._name} is in " + " and in ".join(found)
                                 + f": {self._name}.{found[0]}.{name}")
        if found:
            return getattr(self, found[0]), name
        place = dict(zip(("_i", "_o", "_q"), PLACES)).get(name[-2:])
        if place and name[:-2] in getattr(self, place)._signals:
            return getattr(self, place), name[:-2]
        raise AttributeError(f"{self._name} has no port or flip-flops '{name}': there are "
                             + ", ".join(s[1] for s in PORTS[self._name][2]))

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        ports, port = self._find(name)
        return getattr(ports, port)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
            return
        ports, port = (self.inputs, name) if name in self.inputs._signals else self._find(name)
        setattr(ports, port, value)

    def __dir__(self) -> Any:
        return [*object.__dir__(self), *(s[1] for s in PORTS[self._name][2])]

    def _read(self, model: Any, inputs: bool) -> None:
        structs = [self.inputs._struct if inputs else ffi.NULL, self.outputs._struct, self.state._struct]
        has = [any(s[0] == kind for s in PORTS[self._name][2]) for kind in KINDS]
        getattr(library, f"lockstep_{self._name}_read")(model, *(s for s, h in zip(structs, has) if h))


class Block(View):
    """The model of a block, with the ports of rtl/NAME.sv: set inputs, eval(), read outputs, clock()."""

    def __init__(self, name: str, **parameters: int) -> None:
        if name not in PORTS:
            raise Error(f"there is no block '{name}': there are " + ", ".join(blocks()))
        needed = PORTS[name][0]
        wrong = set(parameters) ^ set(needed)
        if wrong:
            raise Error(f"{name} has the parameters " + ", ".join(needed) + "; wrong or missing: "
                        + ", ".join(sorted(wrong)))
        for parameter, value in parameters.items():
            if not 0 <= value < 1 << 32:
                raise Error(f"{name}: {parameter} is {value}, but must be 0 to {(1 << 32) - 1}")
        super().__init__(name)
        object.__setattr__(self.inputs, "_writable", True)
        handle = check(self._call("create", *(parameters[p] for p in needed)))
        self._handle = ffi.gc(handle, getattr(library, f"lockstep_{name}_destroy"))
        self._read(self._handle, False)

    def _call(self, function: str, *arguments: Any) -> Any:
        return getattr(library, f"lockstep_{self._name}_{function}")(*arguments)

    @property
    def clocked(self) -> bool:
        return PORTS[self._name][1]

    def reset(self) -> None:
        check(self._call("reset", self._handle))
        self._read(self._handle, False)
        object.__setattr__(self.inputs, "_changed", True)

    def eval(self) -> None:
        """Computes the outputs of a cycle from its inputs."""
        arguments = [p._struct for p in (self.inputs, self.outputs) if p._signals]
        check(self._call("eval", self._handle, *arguments))
        self._read(self._handle, False)
        object.__setattr__(self.inputs, "_changed", False)

    def clock(self) -> None:
        """Ends a cycle: flip-flops take their next values. Outputs show the cycle that has ended until eval()."""
        if not self.clocked:
            raise Error(f"{self._name} has no clock")
        check(self._call("clock", self._handle))
        kept = ffi.new(f"struct lockstep_{self._name}_out *", self.outputs._struct[0]) if self.outputs._signals else None
        self._read(self._handle, False)
        if kept is not None:
            self.outputs._struct[0] = kept[0]


def block(name: str, **parameters: int) -> Block:
    """Returns a new model: block("warp_scheduler", WARPS=16)."""
    return Block(name, **parameters)
