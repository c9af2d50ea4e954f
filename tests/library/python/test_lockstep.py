"""The Python module: blocks, machines, coroutines, and what it says of mistakes."""

import ctypes
import gc
import os
import struct
import sys
import tempfile
import unittest

import lockstep

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "..")
sys.path.append(os.path.join(SOURCE, "library", "examples"))
from commit_bench import Core  # noqa: E402

KERNELS = """
kernel void powers(float a, global const float *x, global float *y) {
    const uint i = get_global_id(0);
    float product = x[i];
    for (uint k = i % 4; k > 0; --k) product *= a;
    y[i] += product;
}
kernel void sums(long a, int b, global long *out, local int *tile) {
    tile[get_local_id(0)] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a + tile[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void collatz(global const uint *in, global uint *out) {
    uint n = in[get_global_id(0)], steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        ++steps;
    }
    out[get_global_id(0)] = steps;
}
kernel void outside(global int *out) { out[1000000] = 1; }
"""


class Library(unittest.TestCase):
    def test_version(self):
        self.assertRegex(lockstep.version(), r"^\d+\.\d+\.\d+ \(.+\)$")

    def test_all_blocks_can_be_built(self):
        names = lockstep.blocks()
        self.assertGreater(len(names), 30)
        self.assertIn("warp_scheduler", names)

    def test_build_says_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write("kernel void f(global int *x) { x[0] = nothing; }")
            with self.assertRaisesRegex(lockstep.Error, r"wrong\.cl:1:39: error: .*'nothing'"):
                lockstep.build(path)
            self.assertEqual(os.listdir(folder), ["wrong.cl"])
            with self.assertRaisesRegex(lockstep.Error, "no.cl"):
                lockstep.build(os.path.join(folder, "no.cl"))


class Blocks(unittest.TestCase):
    def test_scheduler_goes_round(self):
        s = lockstep.block("warp_scheduler", WARPS=4)
        chosen = []
        for _ in range(4):
            s.ready, s.take = 0b1011, True
            s.eval()
            self.assertEqual((s.valid, s.grant), (1, 1 << s.warp))
            chosen.append(s.warp_o)
            s.clock()
        self.assertEqual(chosen, [0, 1, 3, 0])
        self.assertEqual((s.last_q, s.state.last), (0, 0))
        s.reset()
        s.eval()
        self.assertEqual((s.valid, s.warp), (1, 0))

    def test_outputs_stay_until_they_are_evaluated(self):
        s = lockstep.block("warp_scheduler", WARPS=4)
        s.ready_i, s.take_i = 0b10, 1
        s.eval()
        s.clock()
        self.assertEqual((s.warp, s.last), (1, 1))

    def test_vectors_of_more_than_64_bits(self):
        s = lockstep.block("warp_scheduler", WARPS=128)
        s.ready, s.take = 1 << 127 | 1 << 64, 1
        s.eval()
        self.assertEqual((s.grant, s.ready), (1 << 64, 1 << 127 | 1 << 64))

    def test_arrays(self):
        a = lockstep.block("warp_pc_arbiter", WARP_SIZE=4, LEVELS=2)
        a.ready, a.priority, a.pc = 0b1110, [0b1111, 0b0100], [8, 16, 24, 16]
        a.eval()
        self.assertEqual(a.pc_o, a.outputs.pc)
        self.assertEqual(a.inputs.pc[:5], [8, 16, 24, 16, 0])
        self.assertEqual(bin(a.participating).count("1") > 0, True)
        a.pc_i = [4]
        self.assertEqual(a.inputs.pc[:2], [4, 0])

    def test_mistakes(self):
        with self.assertRaisesRegex(lockstep.Error, "no block 'none': there are bank_conflict_resolver, "):
            lockstep.block("none")
        with self.assertRaisesRegex(lockstep.Error, "parameters WARPS; wrong or missing: WARPS, WRAPS"):
            lockstep.block("warp_scheduler", WRAPS=4)
        with self.assertRaisesRegex(lockstep.Error, "WARPS"):
            lockstep.block("warp_scheduler", WARPS=0)
        with self.assertRaisesRegex(lockstep.Error, "WARPS is -1, but must be 0 to"):
            lockstep.block("warp_scheduler", WARPS=-1)
        s = lockstep.block("warp_scheduler", WARPS=4)
        with self.assertRaisesRegex(AttributeError, "no port or flip-flops 'raedy': there are ready, stalled"):
            s.raedy = 1
        with self.assertRaisesRegex(AttributeError, "'warp' of warp_scheduler is set by the block"):
            s.warp = 1
        with self.assertRaisesRegex(ValueError, "ready of warp_scheduler has 128 bits: .* does not fit"):
            s.ready = 1 << 128
        with self.assertRaisesRegex(ValueError, "-1 does not fit"):
            s.ready = -1
        with self.assertRaisesRegex(ValueError, "at most 64 elements, not 65"):
            lockstep.block("warp_pc_arbiter", WARP_SIZE=4, LEVELS=2).pc_i = [0] * 65
        with self.assertRaisesRegex(AttributeError, "'pc' of warp_pc_arbiter is in inputs and in outputs"):
            print(lockstep.block("warp_pc_arbiter", WARP_SIZE=4, LEVELS=2).pc)
        with self.assertRaisesRegex(lockstep.Error, "warp_pc_arbiter has no clock"):
            lockstep.block("warp_pc_arbiter", WARP_SIZE=4, LEVELS=2).clock()

    def test_a_breach_of_the_protocol_is_an_error(self):
        b = lockstep.block("barrier_table", WARPS=4, WARP_SIZE=8, GROUPS=4, SCALAR=0)
        b.arrive_count, b.arrive_group = 3, 1  # of a group that has no threads
        with self.assertRaisesRegex(lockstep.Error, "barrier_table: "):
            b.eval()
            b.clock()
        b.reset()
        b.arrive_count = 0
        b.eval()
        b.clock()


class Coroutines(unittest.TestCase):
    def test_stimulus_and_monitor(self):
        s = lockstep.block("warp_scheduler", WARPS=4)
        clock = lockstep.Clock(s)
        seen = []

        async def stimulus():
            for ready in (0b0001, 0b0110, 0b0110, 0b1000):
                s.ready, s.take = ready, 1
                await clock.edge
            return "sent"

        async def monitor():
            while True:
                await clock.settled
                seen.append((clock.cycle, s.warp))

        clock.start(monitor())
        self.assertEqual(clock.run(stimulus()), "sent")
        self.assertEqual(seen, [(0, 0), (1, 1), (2, 2), (3, 3)])
        self.assertEqual(clock.cycle, 4)

    def test_inputs_that_depend_on_outputs_of_the_cycle(self):
        s = lockstep.block("warp_scheduler", WARPS=4)
        clock = lockstep.Clock(s)

        async def taker():
            warps, refused = [], False
            for _ in range(4):
                s.ready, s.take = 0b1111, 1
                await clock.settled
                warps.append(s.warp)
                if s.warp == 1 and not refused:
                    s.take, refused = 0, True
                await clock.edge
            return warps

        self.assertEqual(clock.run(taker()), [0, 1, 1, 2])

    def test_tasks_are_awaited(self):
        clock = lockstep.Clock()

        async def wait(cycles):
            for _ in range(cycles):
                await clock.edge
            return cycles

        async def parent():
            tasks = [clock.start(wait(3)), clock.start(wait(5))]
            return [await t for t in tasks], clock.cycle

        self.assertEqual(clock.run(parent(), wait(1)), [([3, 5], 5), 1])

    def test_mistakes(self):
        clock = lockstep.Clock()

        async def forever():
            while True:
                await clock.edge

        async def elsewhere():
            await lockstep.Clock().edge

        async def fails():
            await clock.edge
            raise ValueError("mine")

        with self.assertRaisesRegex(lockstep.Error, "after 10 cycles these still wait: .*forever \\(edge\\)"):
            clock.run(forever(), cycles=10)
        with self.assertRaisesRegex(TypeError, "elsewhere awaits .*: await this clock's edge"):
            clock.run(elsewhere())
        with self.assertRaisesRegex(ValueError, "mine"):
            clock.run(fails(), forever())
        with self.assertRaisesRegex(TypeError, "call an `async def` function"):
            clock.run(forever)
        with self.assertRaisesRegex(lockstep.Error, "no coroutine"):
            clock.run()


class Machines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "kernels.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(KERNELS)
        cls.image = lockstep.build(path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_launch(self):
        with lockstep.Machine(self.image, settings={"simt.warp_size": 16}) as m:
            x = m.buffer([float(i % 3) for i in range(256)], "f")
            y = m.buffer(256, "f")
            y[:] = range(256)
            m.run("powers", 2.0, x, y, global_size=256, local_size=128)
            self.assertEqual(list(y), [i + i % 3 * (1 << i % 4) for i in range(256)])
            cycles = m.cycles
            self.assertGreater(cycles, 256)
            self.assertGreater(m.counter("cluster0.warp_instructions"), 0)
            m.run("powers", 2.0, x, y, global_size=(256, 1), local_size=(128, 1))
            self.assertGreater(m.cycles, cycles)

    def test_argument_types(self):
        with lockstep.Machine(self.image) as m:
            out = m.buffer(32, "q")
            for a in (ctypes.c_int64(1 << 40), struct.pack("q", 1 << 40)):
                m.run("sums", a, -3, out, lockstep.Local(4 * 16), global_size=32, local_size=16)
                self.assertEqual(list(out), [(1 << 40) - 3] * 32)

    def test_a_stepped_launch_has_the_cycles_of_a_whole_one(self):
        ends = []
        for step in (False, True):
            with lockstep.Machine(self.image) as m:
                x, y = m.buffer([1.0] * 64, "f"), m.buffer(64, "f")
                if not step:
                    m.run("powers", 2.0, x, y, global_size=64, local_size=64)
                else:
                    with m.launch("powers", 2.0, x, y, global_size=64, local_size=64) as launch:
                        seen, last = 0, -1
                        for cycle, arbiter in launch.cycles("warp_pc_arbiter"):
                            self.assertGreater(cycle, last)
                            seen, last = seen + 1, cycle
                            self.assertEqual(arbiter.participating & ~arbiter.ready, 0)
                            with self.assertRaises(AttributeError):
                                arbiter.ready = 0
                        self.assertGreater(seen, 10)
                ends.append((m.cycles, list(y)))
        self.assertEqual(ends[0], ends[1])

    def test_a_launch_may_be_left(self):
        with lockstep.Machine(self.image) as m:
            x, y = m.buffer([1.0] * 64, "f"), m.buffer(64, "f")
            with m.launch("powers", 2.0, x, y, global_size=64, local_size=64) as launch:
                for _ in launch.cycles("warp_scheduler"):
                    break
            self.assertEqual(y[3], 8.0)
            with self.assertRaisesRegex(lockstep.Error, "the launch has ended"):
                launch.end()
            launch = m.launch("powers", 2.0, x, y, global_size=64, local_size=64)
            with self.assertRaisesRegex(lockstep.Error, "a launch has not ended"):
                m.run("powers", 2.0, x, y, global_size=64)
            with self.assertRaisesRegex(lockstep.Error, "no block 'none'"):
                next(launch.cycles("none"))
        with self.assertRaisesRegex(lockstep.Error, "the launch has ended"):
            next(launch.cycles("warp_scheduler"))

    def test_views_outlive_the_machine(self):
        m = lockstep.Machine(self.image)
        y = m.buffer([7] * 1000, "i")
        part = y.data[10:20]
        m.close()
        del m, y
        gc.collect()
        self.assertEqual(part.tolist(), [7] * 10)

    def test_mistakes(self):
        with self.assertRaisesRegex(lockstep.Error, "none.img: No such file"):
            lockstep.Machine("none.img")
        with self.assertRaisesRegex(lockstep.Error, "simt.wrap_size"):
            lockstep.Machine(self.image, settings={"simt.wrap_size": 16})
        with self.assertRaisesRegex(lockstep.Error, "none.yaml"):
            lockstep.Machine(self.image, config="none.yaml")
        with self.assertRaisesRegex(lockstep.Error, "without blanks"):
            lockstep.Machine(self.image, settings={"simt.warp_size": "16 mode=mimd"})
        m = lockstep.Machine(self.image)
        y = m.buffer(64, "f")
        for size in (0, 1 << 40, -1):
            with self.assertRaisesRegex(lockstep.Error, "a buffer has 1 to"):
                m.buffer(size, "d")
        with self.assertRaisesRegex(lockstep.Error, "no kernel.*'power'"):
            m.run("power", global_size=1)
        with self.assertRaisesRegex(lockstep.Error, "powers: argument 0: "):
            m.run("powers", y, y, y, global_size=64)
        with self.assertRaisesRegex(TypeError, "powers: argument 1: list is neither a Buffer"):
            m.run("powers", 1.0, [1, 2], y, global_size=64)
        with self.assertRaisesRegex(TypeError, "more than 32 bits: give bytes, such as ctypes.c_int64"):
            m.run("sums", 1 << 40, 1, y, lockstep.Local(4), global_size=64)
        with self.assertRaisesRegex(lockstep.Error, "powers"):
            m.run("powers", 1.0, global_size=64)
        with self.assertRaisesRegex(lockstep.Error, "one to three numbers"):
            m.run("powers", 1.0, y, y, global_size=(1, 1, 1, 1))
        with self.assertRaisesRegex(lockstep.Error, "one to three numbers"):
            m.run("powers", 1.0, y, y, global_size=-1)
        with self.assertRaisesRegex(lockstep.Error, "no counter 'none'"):
            m.counter("none")
        with self.assertRaisesRegex(lockstep.Error, "cluster"):
            m.launch("powers", 1.0, y, y, global_size=64, cluster=99)
        with self.assertRaisesRegex(ValueError, "64 elements cannot be set to 2 values"):
            y[:] = [1, 2]
        with self.assertRaises(IndexError):
            y[64] = 1
        m.close()
        for action in (lambda: m.cycles, lambda: m.buffer(1), lambda: m.run("powers", global_size=1)):
            with self.assertRaisesRegex(lockstep.Error, "the machine is closed"):
                action()

    def test_an_access_outside_ends_the_launch(self):
        with lockstep.Machine(self.image) as m:
            with self.assertRaisesRegex(lockstep.Error, "outside"):
                m.run("outside", m.buffer(4, "i"), global_size=1)


class Thread:
    """What a core sees of a checker, for a thread of a warp."""

    def __init__(self, checker, thread):
        self.checker, self.thread = checker, thread
        self.load, self.store = checker.load, checker.store

    def pc(self):
        return self.checker.pc(0, self.thread)

    def register(self, number):
        return self.checker.register(number, 0, self.thread)

    def coprocessor(self, instruction):
        return self.checker.coprocessor(instruction, 0, self.thread)


def warp_step(checker, cores):
    """Executes an instruction of the threads at the lowest PC, each on a core of its own, and commits it."""
    live = {n: c for n, c in enumerate(cores) if checker.pc(0, n) is not None}
    pc = min(c.pc for c in live.values())
    told = {n: c.step() for n, c in live.items() if c.pc == pc}

    def row(value):
        return [value(told[n]) if n in told and told[n].passed else 0 for n in range(len(cores))]

    passed = [c for c in told.values() if c.passed]
    commit = lockstep.Commit(pc, mask=sum(1 << n for n in told), passed=sum(1 << n for n in told if told[n].passed))
    if passed:
        commit.values = {n: row(lambda c, n=n: c.values[n]) for n in passed[0].values}
        if passed[0].addresses is not None:
            commit.addresses = row(lambda c: c.addresses)
        if passed[0].data is not None:
            commit.data = [row(lambda c, k=k: c.data[k]) for k in range(len(passed[0].data))]
    return commit


class Commits(unittest.TestCase):
    ITEMS, GROUP = 24, 8

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "kernels.cl")
        with open(cls.path, "w", encoding="utf-8") as file:
            file.write(KERNELS)
        cls.image = lockstep.build(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def begin(self, machine):
        x = machine.buffer([n * 7 % 41 + 1 for n in range(self.ITEMS)], "I")
        self.y = machine.buffer(self.ITEMS, "I")
        return machine.checker("collatz", x, self.y, global_size=self.ITEMS, local_size=self.GROUP)

    def check_results(self):
        for n, steps in enumerate(self.y):
            value, expected = n * 7 % 41 + 1, 0
            while value != 1:
                value, expected = 3 * value + 1 if value & 1 else value // 2, expected + 1
            self.assertEqual(steps, expected)

    def test_a_core_agrees(self):
        with lockstep.Machine(self.image, settings={"mode": "mimd"}) as m:
            with self.begin(m) as checker:
                self.assertEqual((checker.units, checker.threads, checker.running), (1, 1, True))
                core, count, batch = Core(checker), 0, []
                while not core.sleeps:
                    if checker.load(core.pc) >> 24 & 15 == 14:  # the co-processor answers after what was committed
                        checker.commit(*batch)
                        batch = []
                    batch.append(core.step())
                    count += 1
                checker.commit(*batch)
                self.assertEqual((checker.commits, checker.running, checker.difference), (count, False, None))
            self.check_results()
            m.run("collatz", m.buffer([1], "I"), m.buffer(1, "I"), global_size=1)

    def test_a_warp_agrees(self):
        with lockstep.Machine(self.image, settings={"mode": "simt", "simt.warp_size": 8}) as m:
            with self.begin(m) as checker:
                for group in range(self.ITEMS // self.GROUP):
                    checker.start(0, (group,))
                    cores = [Core(Thread(checker, n)) for n in range(8)]
                    while checker.pc(0, 7) is not None or checker.pc(0, 0) is not None:
                        checker.commit(warp_step(checker, cores))
            self.check_results()

    def test_a_fault_is_told_by_kernel_line_thread_and_register(self):
        with lockstep.Machine(self.image, settings={"mode": "simt", "simt.warp_size": 8}) as m:
            with self.begin(m) as checker:
                checker.start(0, (1,))
                cores = [Core(Thread(checker, n)) for n in range(8)]
                with self.assertRaises(lockstep.Difference) as raised:
                    while True:
                        commit = warp_step(checker, cores)
                        if checker.commits >= 40 and 3 in commit.values and commit.passed >> 5 & 1:
                            commit.values[3][5] ^= 4
                        checker.commit(commit)
                d = raised.exception
                self.assertEqual((d.kernel, d.what, d.unit, d.thread, d.pc), ("collatz", "r3", 0, 5, commit.pc))
                self.assertEqual((d.group, d.item, d.design ^ d.reference), ((1, 0, 0), (5, 0, 0), 4))
                self.assertTrue(d.file.endswith("kernels.cl") and 14 <= d.line <= 21, (d.file, d.line))
                self.assertRegex(str(d), r"kernel 'collatz' differs at .*kernels\.cl:\d+: .*work-item \(5,0,0\)")
                self.assertIs(checker.difference, d)
                with self.assertRaises(lockstep.Difference):
                    checker.commit(lockstep.Commit(0, mask=255))
                with self.assertRaises(lockstep.Difference):
                    checker.end()

    def test_a_fault_of_a_core_is_made_small(self):
        with lockstep.Machine(self.image, settings={"mode": "mimd"}) as m, self.begin(m) as checker:
            core = Core(checker, mistake=True)
            with self.assertRaises(lockstep.Difference):
                while True:
                    checker.commit(core.step())
            for least in range(1, 65):
                self.assertEqual(checker.rewind(least), least)
                self.assertIsNone(checker.difference)
                core.begin()
                try:
                    for _ in range(least):
                        checker.commit(core.step())
                except lockstep.Difference:
                    break
            self.assertEqual(least, 2)
            self.assertEqual(len([line for line in checker.print(least).split("\n") if line.startswith("  0x")]), 2)

    def test_memory_is_compared_at_the_end(self):
        with lockstep.Machine(self.image, settings={"mode": "mimd"}) as m:
            with self.assertRaisesRegex(lockstep.Difference, "byte 12 of buffer 2"):
                with self.begin(m) as checker:
                    core = Core(checker)
                    while not core.sleeps:
                        checker.commit(core.step())
                    self.y[3] += 1

    def test_mistakes(self):
        with lockstep.Machine(self.image, settings={"mode": "mimd"}) as m:
            checker = self.begin(m)
            pc = checker.pc()
            for error, act in (
                    ("a launch has not ended", lambda: m.run("collatz", global_size=1)),
                    ("register 1: a row has 1 elements, one for each thread, not 2",
                     lambda: checker.commit(lockstep.Commit(pc, values={1: [1, 2]}))),
                    ("register 1 is -1, but must be a number from 0 to 4294967295",
                     lambda: checker.commit(lockstep.Commit(pc, values={1: -1}))),
                    ("addresses is 0.5", lambda: checker.commit(lockstep.Commit(pc, addresses=[0.5]))),
                    ("destinations 0x8000 have bits", lambda: checker.commit(lockstep.Commit(pc, values={15: 0}))),
                    ("a register is 64", lambda: checker.commit(lockstep.Commit(pc, values={64: 0}))),
                    ("there is no unit 9", lambda: checker.commit(lockstep.Commit(pc, unit=9))),
                    ("mask 0x2", lambda: checker.commit(lockstep.Commit(pc, mask=2))),
                    ("no kind 7", lambda: checker.commit(lockstep.Commit(pc, kind=7))),
                    ("data: a row has 1", lambda: checker.commit(lockstep.Commit(pc, data=[[1, 2]]))),
                    ("no thread 1 of unit 0", lambda: checker.pc(0, 1)),
                    ("no thread 0 of unit -1", lambda: checker.register(0, -1)),
                    ("no register 15", lambda: checker.register(15)),
                    ("nothing is at 0x00000004", lambda: checker.load(4)),
                    ("an access has 1 byte", lambda: checker.load(pc, 0)),
                    ("the value is 256, but must be a number from 0 to 255", lambda: checker.store(pc, 256, 1)),
                    ("cores start by themselves", lambda: checker.start(0, (0,))),
                    ("no MRC", lambda: checker.coprocessor(0)),
                    ("work-items have not ended", checker.end),
                    ("the launch has ended", lambda: checker.running),
                    ("the launch has ended", lambda: checker.load(pc))):
                with self.subTest(error), self.assertRaisesRegex(lockstep.Error, error) as raised:
                    act()
                self.assertIs(type(raised.exception), lockstep.Error)
            with self.assertRaisesRegex(lockstep.Error, "1 to 256 cores or warps, not 0"):
                m.checker("collatz", m.buffer(4), m.buffer(4), global_size=1, units=0)
            with self.assertRaisesRegex(lockstep.Error, "the machine has an image"):
                m.program("true")
            checker = self.begin(m)
            checker.commit(lockstep.Commit(pc, kind=lockstep.SKIPPED, values={0: 7}))
            with self.assertRaises(lockstep.Difference):
                checker.commit(lockstep.Commit(pc))
        with self.assertRaisesRegex(lockstep.Error, "the launch has ended"):
            checker.pc()

    def test_programs(self):
        with lockstep.Machine(settings={"mode": "mimd"}) as m:
            with self.assertRaisesRegex(lockstep.Error, "nothing-at-all: program not found"):
                m.program("nothing-at-all").end()
            with self.assertRaisesRegex(lockstep.Error, "no image"):
                m.run("collatz", global_size=1)
            with m.program("sh", "-c", "exit 3") as program:
                self.assertEqual((list(program.launches(1)), program.status), ([], 3))
            with self.assertRaisesRegex(lockstep.Error, "the program has ended"):
                program.end()
            m.program("true")
            with self.assertRaisesRegex(lockstep.Error, "a program runs: end it first"):
                m.program("true")


if __name__ == "__main__":
    unittest.main()
