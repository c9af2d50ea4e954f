"""Machines: buffers, launches, counters, and the ports of a cluster's blocks in each cycle."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Optional, Sequence, Tuple, Union

from ._block import PORTS, View
from ._commit import Checker, Program, words
from ._ffi import ffi
from ._library import Error, check, library

Size = Union[int, Sequence[int]]


class Local:
    """An argument: so many bytes of local memory."""

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes


class Buffer:
    """Memory that kernels and Python share: an argument of a kernel, and a sequence of elements.

    `data` is a memoryview of it, which stays good as long as it is used, also when the machine is closed."""

    def __init__(self, machine: "Machine", size_bytes: int, format: str) -> None:
        host = ffi.new("uint8_t **")
        self.address: int = check(library.lockstep_buffer(machine._handle, size_bytes, host))
        owner = machine._handle
        memory = ffi.gc(host[0], lambda _: owner)
        self.data = memoryview(ffi.buffer(memory, size_bytes)).cast(format)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, at: Any) -> Any:
        return self.data[at].tolist() if isinstance(at, slice) else self.data[at]

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, slice) and not hasattr(value, "nbytes"):
            view = self.data[at]
            values = list(value)
            if len(values) != len(view):
                raise ValueError(f"{len(view)} elements cannot be set to {len(values)} values")
            for n, v in enumerate(values):
                view[n] = v
        else:
            self.data[at] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)


class Machine:
    """A machine that runs the kernels of an image that build() has made, or without one those of a program().

    config: a YAML file; without one, the base machine. settings: fields that differ, {"simt.warp_size": 16}."""

    def __init__(self, image: Union[str, os.PathLike, None] = None, config: Union[str, os.PathLike, None] = None,
                 settings: Optional[Mapping[str, Any]] = None) -> None:
        fields = []
        for field, value in (settings or {}).items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if not text or any(c.isspace() for c in field + text):
                raise Error(f"{field}={text}: a setting is a field and a value without blanks")
            fields.append(f"{field}={text}")
        handle = check(library.lockstep_create(os.fsencode(config) if config else ffi.NULL, " ".join(fields).encode(),
                                               os.fsencode(image) if image else ffi.NULL))
        self._kept: Any = ffi.gc(handle, library.lockstep_destroy)
        self._launch: Union[Launch, Checker, None] = None
        self._program: Optional[Program] = None

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the machine; its memory goes when no view of a buffer is used any more."""
        if self._launch:
            self._launch._leave()
        if self._program:
            self._program.close()
        self._kept = None

    @property
    def _handle(self) -> Any:
        if self._kept is None:
            raise Error("the machine is closed")
        return self._kept

    def buffer(self, content: Any, format: str = "B") -> Buffer:
        """Returns a new buffer: of so many elements, all 0, or of these values. format: of an element, as in module
        struct ("f", "i", "I", "d")."""
        values = None if isinstance(content, int) else list(content)
        count = content if values is None else len(values)
        element = memoryview(bytes(8)).cast(format).itemsize
        size = count * element
        if not 0 < size < 1 << 32:
            raise Error(f"a buffer has 1 to {(1 << 32) - 1} bytes, not {size}")
        buffer = Buffer(self, size, format)
        if values is not None:
            buffer[:] = values
        return buffer

    def _add(self, argument: Any) -> None:
        h = self._handle
        if isinstance(argument, Buffer):
            check(library.lockstep_pointer(h, argument.address))
        elif isinstance(argument, Local):
            if not 0 < argument.size_bytes < 1 << 32:
                raise Error(f"local memory of {argument.size_bytes} bytes: 1 to {(1 << 32) - 1} are possible")
            check(library.lockstep_local(h, argument.size_bytes))
        else:
            value = encode(argument)
            check(library.lockstep_value(h, value, len(value)))

    def _prepare(self, kernel: str, arguments: Sequence[Any], global_size: Size, local_size: Size) -> Any:
        if self._launch:
            raise Error("a launch has not ended: end it first")
        check(library.lockstep_kernel(self._handle, kernel.encode()))
        for n, argument in enumerate(arguments):
            try:
                self._add(argument)
            except (Error, TypeError) as e:
                raise type(e)(f"{kernel}: argument {n}: {e}") from None
        sizes = [three(global_size), three(local_size)]
        return ffi.new("struct lockstep_range *", sizes)

    def run(self, kernel: str, *arguments: Any, global_size: Size, local_size: Size = 0) -> None:
        """Runs a launch to its end. Arguments: Buffer, Local, int (4 bytes), float (4 bytes), or the bytes of a value
        of another type (ctypes.c_double(2), struct.pack(...), numpy.uint64(2))."""
        check(library.lockstep_run(self._handle, self._prepare(kernel, arguments, global_size, local_size)))

    def launch(self, kernel: str, *arguments: Any, global_size: Size, local_size: Size = 0, cluster: int = 0) -> "Launch":
        """Begins a launch that is stepped: the blocks of one cluster are seen in each cycle."""
        if not 0 <= cluster < 1 << 32:
            raise Error(f"there is no cluster {cluster}")
        check(library.lockstep_begin(self._handle, self._prepare(kernel, arguments, global_size, local_size), cluster))
        self._launch = Launch(self)
        return self._launch

    def checker(self, kernel: str, *arguments: Any, global_size: Size, local_size: Size = 0, units: int = 1) -> Checker:
        """Begins a launch that a design executes: so many cores with mode=mimd, warps with mode=simt."""
        return Checker(self, self._prepare(kernel, arguments, global_size, local_size), units)

    def program(self, *command: Union[str, os.PathLike]) -> Program:
        """Starts an OpenCL program, unmodified, on a machine without an image; a design executes its launches."""
        if self._program:
            raise Error("a program runs: end it first")
        argv = words(command)
        check(library.lockstep_program(self._handle, argv[0]))
        self._program = Program(self, argv)
        return self._program

    @property
    def cycles(self) -> int:
        """Cycles of all launches so far."""
        return library.lockstep_cycles(self._handle)

    def counter(self, name: str) -> int:
        """Returns a counter, by the name that `lockstep run --stats` gives it: "cluster0.warp_instructions"."""
        value = ffi.new("uint64_t *")
        check(library.lockstep_counter(self._handle, name.encode(), value))
        return value[0]


class Launch:
    """A launch that is stepped."""

    def __init__(self, machine: Machine) -> None:
        self._machine: Optional[Machine] = machine

    def __enter__(self) -> "Launch":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._machine and kind is None:
            self.end()
        elif self._machine:
            library.lockstep_end(self._machine._handle)
            self._leave()

    def _leave(self) -> None:
        if self._machine:
            self._machine._launch = None
        self._machine = None

    def cycles(self, block: str) -> Iterator[Tuple[int, View]]:
        """Goes from cycle to cycle in which the cluster evaluates the block: the cycle's number, and ports and flip-flops
        before the edge. Each step changes the same View."""
        if not self._machine:
            raise Error("the launch has ended")
        model = check(library.lockstep_block(self._machine._handle, block.encode()))
        if block not in PORTS:
            raise Error(f"'{block}' has no ports of its own")
        view, cycle = View(block), ffi.new("uint64_t *")
        while self._machine and library.lockstep_step(self._machine._handle, block.encode(), cycle):
            view._read(model, True)
            yield cycle[0], view

    def end(self) -> None:
        """Runs the rest of the launch."""
        if not self._machine:
            raise Error("the launch has ended")
        machine = self._machine
        self._leave()
        check(library.lockstep_end(machine._handle))


def three(size: Size) -> Sequence[int]:
    values = [size] if isinstance(size, int) else [int(n) for n in size]
    if not 1 <= len(values) <= 3 or not all(0 <= n < 1 << 32 for n in values):
        raise Error(f"a size is one to three numbers from 0 to {(1 << 32) - 1}, not {size}")
    return values + [0] * (3 - len(values))


def encode(value: Any) -> bytes:
    """Returns the bytes of an argument that is passed by value."""
    if isinstance(value, int):
        if not -(1 << 31) <= value < 1 << 32:
            raise TypeError(f"{value} has more than 32 bits: give bytes, such as ctypes.c_int64({value})")
        return (value & (1 << 32) - 1).to_bytes(4, "little")
    if type(value) is float:
        return bytes(ffi.buffer(ffi.new("float *", value)))
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{type(value).__name__} is neither a Buffer, Local, int, float nor bytes") from None
