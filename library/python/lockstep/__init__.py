"""Lockstep's models for benches in Python (docs/library.md).

    image = lockstep.build("powers.cl")                      compiles kernels
    with lockstep.Machine(image) as machine:                 a whole machine that runs them
        x = machine.buffer([1.0, 2.0, 3.0, 4.0], "f")
        machine.run("powers", 2.0, x, y, global_size=4)

    scheduler = lockstep.block("warp_scheduler", WARPS=16)   the model of one block
    scheduler.ready = 0b1011
    scheduler.eval()
    scheduler.grant

    clock = lockstep.Clock(scheduler)                        coroutines that drive blocks
    clock.run(stimulus(clock, scheduler), cycles=1000)

    with machine.program("bfs", "--nodes", "256") as program:    designs that execute launches themselves
        for checker in program.launches(units=1):
            checker.commit(lockstep.Commit(pc, values={3: 7}))

What fails raises lockstep.Error with the library's message.
"""

from ._bench import Clock, Task
from ._block import Block, Ports, block, blocks
from ._commit import EXECUTED, FPSCR, LOADED, NZCV, SKIPPED, Checker, Commit, Difference, Program
from ._library import Error, build, version
from ._machine import Buffer, Launch, Local, Machine

__all__ = ["Block", "Buffer", "Checker", "Clock", "Commit", "Difference", "EXECUTED", "Error", "FPSCR", "LOADED",
           "Launch", "Local", "Machine", "NZCV", "Ports", "Program", "SKIPPED", "Task", "block", "blocks", "build",
           "version"]
