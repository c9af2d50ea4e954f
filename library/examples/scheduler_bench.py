"""A scheduler in Python beside the model of the machine's, with random inputs; then kernels on a whole machine.

    PYTHONPATH=PREFIX/lib/python3/dist-packages python3 scheduler_bench.py powers.cl
"""

import random
import sys

import lockstep

WARPS, CYCLES = 16, 1000


class RoundRobin:
    """The design under test: the first ready warp after the last one."""

    def __init__(self):
        self.last = WARPS - 1

    def choose(self, ready):
        for n in range(1, WARPS + 1):
            warp = (self.last + n) % WARPS
            if ready >> warp & 1:
                return warp
        return None


async def stimulus(clock, model):
    for _ in range(CYCLES):
        model.ready_i, model.take_i = random.getrandbits(WARPS), random.getrandbits(1)
        await clock.edge


async def compare(clock, model, design):
    while True:
        cycle = await clock.settled
        warp = design.choose(model.ready_i) if model.take_i else None
        if (warp is not None) != model.valid_o or (warp is not None and warp != model.warp_o):
            sys.exit(f"FAIL: cycle {cycle}: the design chooses {warp}, the model {model.outputs}")
        await clock.edge
        if warp is not None:
            design.last = warp


def run_kernel(source):
    image = lockstep.build(source, "powers.img")
    with lockstep.Machine(image, settings={"simt.warp_size": 16}) as machine:
        x = machine.buffer([float(i % 3) for i in range(256)], "f")
        y = machine.buffer([float(i) for i in range(256)], "f")
        machine.run("powers", 2.0, x, y, global_size=256, local_size=128)
        wrong = sum(y[i] != i + i % 3 * (1 << i % 4) for i in range(256))
        print(f"{machine.cycles} cycles, {machine.counter('cluster0.warp_instructions')} warp instructions, {wrong} wrong")
        return wrong


model = lockstep.block("warp_scheduler", WARPS=WARPS)
clock = lockstep.Clock(model)
clock.start(compare(clock, model, RoundRobin()))
clock.run(stimulus(clock, model))
print(f"PASS: {clock.cycle} cycles")
if len(sys.argv) > 1 and run_kernel(sys.argv[1]):
    sys.exit("FAIL")
