"""Coroutines that drive blocks, cycle by cycle."""

from __future__ import annotations

from typing import Any, Coroutine, Generator, List, Optional

from ._block import Block
from ._library import Error

EDGE, SETTLED = "edge", "settled"


class Moment:
    """Something to await: the same object again and again."""

    def __init__(self, clock: "Clock", kind: str) -> None:
        self._clock, self._kind = clock, kind

    def __await__(self) -> Generator["Moment", None, int]:
        yield self
        return self._clock.cycle


class Task:
    """A coroutine that a clock runs. `await task` waits for its end and gives its result."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine
        self._waits: Any = None
        self.done = False
        self.result: Any = None
        self.name: str = getattr(coroutine, "__qualname__", repr(coroutine))

    def __await__(self) -> Generator["Task", None, Any]:
        while not self.done:
            yield self
        return self.result


class Clock:
    """The clock of some blocks.

    In each cycle coroutines run first that have awaited `edge`: they set inputs. All blocks are evaluated. Then those
    run that have awaited `settled`: they see the outputs of the cycle, and may set inputs, of which the blocks are
    evaluated again. Then comes the edge. After `await clock.edge` outputs are those of the cycle that has ended."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self.cycle = 0
        self.edge = Moment(self, EDGE)
        self.settled = Moment(self, SETTLED)
        self._tasks: List[Task] = []

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> Task:
        """Adds a coroutine, which begins at once if the clock runs. The clock does not wait for its end."""
        if not hasattr(coroutine, "send"):
            raise TypeError(f"{coroutine!r} is no coroutine: call an `async def` function")
        task = Task(coroutine)
        self._tasks.append(task)
        return task

    def _resume(self, task: Task) -> None:
        try:
            waits = task._coroutine.send(None)
        except StopIteration as end:
            task.done, task.result = True, end.value
            self._tasks.remove(task)
            return
        except BaseException:
            self._tasks.remove(task)
            raise
        if not isinstance(waits, Task) and waits not in (self.edge, self.settled):
            task._coroutine.close()
            self._tasks.remove(task)
            raise TypeError(f"{task.name} awaits {waits!r}: await this clock's edge or settled, or a task")
        task._waits = waits

    def _run_ready(self, moment: Optional[Moment]) -> None:
        """Runs what has awaited `moment`, then what is new or waits for a task that has ended."""
        ready = [t for t in self._tasks if t._waits is moment] if moment else []
        while True:
            for task in ready:
                self._resume(task)
            ready = [t for t in self._tasks if t._waits is None or isinstance(t._waits, Task) and t._waits.done]
            if not ready:
                return

    def _evaluate(self) -> None:
        for block in self.blocks:
            if block.inputs._changed:
                block.eval()

    def _step(self) -> None:
        for block in self.blocks:
            object.__setattr__(block.inputs, "_changed", True)
        self._evaluate()
        self._run_ready(self.settled)
        self._evaluate()
        for block in self.blocks:
            if block.clocked:
                block.clock()
        self.cycle += 1
        self._run_ready(self.edge)

    def run(self, *coroutines: Coroutine[Any, Any, Any], cycles: Optional[int] = None) -> Any:
        """Runs until these coroutines have ended, and returns their results: one, or a list. After `cycles` cycles
        Error names those that still wait. Those of start() are closed with them."""
        if not coroutines:
            raise Error("there is no coroutine to run")
        tasks = [self.start(c) for c in coroutines]
        end = None if cycles is None else self.cycle + cycles
        try:
            self._run_ready(None)
            while not all(t.done for t in tasks):
                if end is not None and self.cycle >= end:
                    waiting = ", ".join(f"{t.name} ({t._waits._kind if isinstance(t._waits, Moment) else 'a task'})"
                                        for t in tasks if not t.done)
                    raise Error(f"after {cycles} cycles these still wait: {waiting}")
                self._step()
        finally:
            for task in self._tasks:
                task._coroutine.close()
            self._tasks = []
        return tasks[0].result if len(tasks) == 1 else [t.result for t in tasks]
