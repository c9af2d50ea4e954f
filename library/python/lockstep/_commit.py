"""Commit checking: a design that executes launches itself is compared by what it commits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._ffi import ffi
from ._library import Error, check, library, message

if TYPE_CHECKING:
    from ._machine import Machine

# How an instruction was committed: the reference executes it; the same of a load whose values are taken; not executed.
EXECUTED, LOADED, SKIPPED = library.LOCKSTEP_EXECUTED, library.LOCKSTEP_LOADED, library.LOCKSTEP_SKIPPED
# Numbers of registers behind r0 to r14 and, from 16 on, s0 to s31: the flags in bits 31 to 28, and FPSCR.
NZCV, FPSCR = 48, 49

MOST_WORDS = 32  # of a store

Row = Union[int, Sequence[int]]


class Difference(Error):
    """The first instruction that differs."""

    def __init__(self, text: str, d: Any) -> None:
        super().__init__(text)
        self.kernel: str = ffi.string(d.kernel).decode(errors="replace")
        self.file: str = ffi.string(d.file).decode(errors="replace")
        self.line: int = d.line
        self.pc: int = d.pc
        self.unit: int = d.unit
        self.thread: int = d.thread
        self.group: Tuple[int, ...] = tuple(d.group)
        self.item: Tuple[int, ...] = tuple(d.item)
        self.what: str = ffi.string(d.what).decode(errors="replace")
        self.design: int = d.design
        self.reference: int = d.reference


@dataclass
class Commit:
    """An instruction that a core or warp has committed, or several squashed into one.

    A row has an element for each thread; a number is a row of a core."""

    pc: int
    unit: int = 0
    mask: int = 1  # a bit for each thread that was at pc
    passed: Optional[int] = None  # of them, the threads whose condition held; None: all
    values: Mapping[int, Row] = field(default_factory=dict)  # of the registers that passed threads have written
    addresses: Optional[Row] = None  # of a load or store: the lowest address; None: unknown
    data: Optional[Sequence[Row]] = None  # of a store: a row for each word; None: unknown
    kind: int = EXECUTED
    instructions: int = 1


def word(value: Any, what: str, bits: int = 32) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << bits:
        raise Error(f"{what} is {value!r}, but must be a number from 0 to {(1 << bits) - 1}")
    return int(value)


def words(command: Sequence[Union[str, os.PathLike]]) -> List[Any]:
    """Returns argv, and behind it the words that it points to."""
    texts = [ffi.new("char[]", os.fsencode(w)) for w in command]
    return [ffi.new("char *[]", [*texts, ffi.NULL]), *texts]


class Checker:
    """A launch that a design executes: so many cores or warps of `threads` threads.

    `commit()` tells what the design has committed. `load()` and `store()` are the design's memory."""

    def __init__(self, machine: "Machine", range: Any, units: int) -> None:
        self._kept: Any = check(library.lockstep_checker_create(machine._handle, range, word(units, "units")))
        self._machine = machine
        self.difference: Optional[Difference] = None  # the first one, or None
        self.units = units
        self.threads: int = library.lockstep_checker_threads(self._kept)
        machine._launch = self

    def __enter__(self) -> "Checker":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if self._kept is not None and kind is None and not self.difference:
            self.end()
        self.close()

    @property
    def _handle(self) -> Any:
        if self._kept is None:
            raise Error("the launch has ended")
        return self._kept

    def _leave(self) -> None:
        handle, self._kept = self._kept, None
        if handle is not None:
            library.lockstep_checker_destroy(handle)
            self._machine._launch = None

    def close(self) -> None:
        """Leaves the launch. A program's launch fails, unless all work-items have ended without a difference."""
        self._leave()

    def end(self) -> None:
        """Ends the launch: all work-items must have ended, and both memories must be equal."""
        error = None if library.lockstep_checker_end(self._handle) else self._failure()
        self._leave()
        if error:
            raise error

    def _failure(self) -> Error:
        """Returns why a function has failed: the difference, if there is one."""
        text, d = message(), ffi.new("struct lockstep_difference *")
        if not self.difference and library.lockstep_checker_difference(self._handle, d):
            self.difference = Difference(text, d)
        return self.difference or Error(text)

    def _check_thread(self, unit: int, thread: int) -> None:
        if not 0 <= unit < self.units or not 0 <= thread < self.threads:
            raise Error(f"there is no thread {thread} of unit {unit}: the design has {self.units}, of {self.threads}"
                        " threads")

    @property
    def running(self) -> bool:
        """Whether any work-item, or any started core, has not ended."""
        return bool(library.lockstep_checker_running(self._handle))

    @property
    def commits(self) -> int:
        """Instructions committed without a difference."""
        return int(library.lockstep_commits(self._handle))

    def start(self, unit: int, group: Sequence[int], first_item: int = 0) -> None:
        """Starts a warp: thread k is work-item first_item + k of the work-group."""
        ids = [word(n, "the work-group") for n in [*group, 0, 0][:3]]
        check(library.lockstep_checker_start(self._handle, word(unit, "unit"), ids, word(first_item, "first_item")))

    def pc(self, unit: int = 0, thread: int = 0) -> Optional[int]:
        """Returns the address of a thread's next instruction; None: the thread has ended."""
        self._check_thread(unit, thread)
        pc = library.lockstep_checker_pc(self._handle, unit, thread)
        return None if pc == 1 else pc

    def register(self, number: int, unit: int = 0, thread: int = 0) -> int:
        """Returns a register of the reference, with which the design begins."""
        self._check_thread(unit, thread)
        if number == 15 or not 0 <= number <= FPSCR:
            raise Error(f"there is no register {number}")
        return library.lockstep_checker_register(self._handle, unit, thread, number)

    def _memory(self, address: int, size_bytes: int, unit: int) -> Any:
        word(address, "the address")
        if word(size_bytes, "size_bytes") == 0:
            raise Error("an access has 1 byte or more")
        self._check_thread(unit, 0)
        return ffi.buffer(check(library.lockstep_checker_memory(self._handle, unit, address, size_bytes)), size_bytes)

    def load(self, address: int, size_bytes: int = 4, unit: int = 0) -> int:
        """Returns what the design's memory has at an address, as this core or warp sees it."""
        return int.from_bytes(self._memory(address, size_bytes, unit)[:], "little")

    def store(self, address: int, value: int, size_bytes: int = 4, unit: int = 0) -> None:
        """Writes the design's memory. A program's host sees it."""
        memory = self._memory(address, size_bytes, unit)
        memory[:] = word(value, "the value", 8 * size_bytes).to_bytes(size_bytes, "little")

    def coprocessor(self, instruction: int, unit: int = 0, thread: int = 0) -> int:
        """Returns what the co-processor answers to an MRC. A core that asks for its next work-group is given one."""
        self._check_thread(unit, thread)
        if word(instruction, "the instruction") & 0x0f100f10 != 0x0e100710:
            raise Error(f"0x{instruction:08x} is no MRC from the co-processor")
        return library.lockstep_checker_coprocessor(self._handle, unit, thread, instruction)

    def _row(self, row: Row, what: str) -> List[int]:
        values = [row] if isinstance(row, int) else list(row)
        if len(values) != self.threads:
            raise Error(f"{what}: a row has {self.threads} elements, one for each thread, not {len(values)}")
        return [word(v, what) for v in values]

    def _fill(self, c: Any, commit: Commit, kept: List[Any]) -> None:
        def rows(content: Sequence[Tuple[str, Row]]) -> Any:
            kept.append(ffi.new("uint32_t[]", [v for what, row in content for v in self._row(row, what)]))
            return kept[-1]

        c.unit, c.pc, c.kind = word(commit.unit, "unit"), word(commit.pc, "pc"), word(commit.kind, "kind")
        c.instructions = word(commit.instructions, "instructions")
        c.mask = word(commit.mask, "mask", 64)
        c.passed = c.mask if commit.passed is None else word(commit.passed, "passed", 64)
        c.destinations = sum(1 << word(number, "a register", 6) for number in commit.values)
        c.values = rows([(f"register {number}", commit.values[number]) for number in sorted(commit.values)])
        if commit.addresses is not None:
            c.addresses = rows([("addresses", commit.addresses)])
        if commit.data is not None:
            missing = [[0] * self.threads] * (MOST_WORDS - len(commit.data))
            c.data = rows([("data", row) for row in [*commit.data, *missing]])

    def commit(self, *commits: Commit) -> None:
        """Commits instructions in their order. Raises Difference for the first one that differs; those before it have
        been committed."""
        array, kept = ffi.new("struct lockstep_committed[]", len(commits)), []
        for n, commit in enumerate(commits):
            self._fill(array[n], commit, kept)
        if not library.lockstep_commit(self._handle, array, len(commits)):
            raise self._failure()

    def rewind(self, instructions: int) -> int:
        """Goes back by so many instructions of the core or warp that differs, in both memories, so that it can commit
        them again from the reference's registers. Returns how many: at most 64."""
        self.difference = None
        return library.lockstep_checker_rewind(self._handle, word(instructions, "instructions"))

    def print(self, instructions: int) -> str:
        """Returns the latest instructions of that core or warp, and the registers that they begin with."""
        text = ffi.new("char[]", 1 << 16)
        check(library.lockstep_checker_print(self._handle, word(instructions, "instructions"), text, len(text)))
        return ffi.string(text).decode(errors="replace")


class Program:
    """An OpenCL program whose launches a design executes."""

    def __init__(self, machine: "Machine", argv: List[Any]) -> None:
        self._machine: Optional["Machine"] = machine
        self._argv = argv
        self.status: Optional[int] = None  # exit status, 128 and more if a signal ended it; None: it runs

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None and self._machine:
            self.end()
        self.close()

    def launches(self, units: int) -> Iterator[Checker]:
        """Goes from launch to launch, to the program's end. Ends the launch before, if the bench has not done it."""
        while self._machine and library.lockstep_program_launch(self._machine._handle):
            with Checker(self._machine, ffi.NULL, units) as checker:
                yield checker
        if self._machine:
            self.end()

    def end(self) -> int:
        """Waits for the program's end and returns its exit status. Launches that are left fail for the program."""
        if not self._machine:
            raise Error("the program has ended")
        machine, self._machine = self._machine, None
        if machine._launch:
            machine._launch._leave()
        status = ffi.new("int *")
        ended = library.lockstep_program_end(machine._handle, status)
        machine._program = None
        self.status = status[0]
        check(ended)
        return self.status

    def close(self) -> None:
        """Ends the program, whatever its status is."""
        if self._machine:
            try:
                self.end()
            except Error:
                pass
