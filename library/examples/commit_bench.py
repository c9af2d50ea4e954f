"""An OpenCL program, unmodified, whose kernels run on a core in Python, which executes the A32 that lockstep-cc makes
of integer kernels. Each instruction that the core commits is compared. If one differs, the bench searches the least
number of instructions that shows the difference again.

    PYTHONPATH=PREFIX/lib/python3/dist-packages python3 commit_bench.py [--mistake] PROGRAM ARGUMENT...

With --mistake the core is wrong: the instruction after a load reads the register's old value.
"""

import sys

import lockstep

WORD = (1 << 32) - 1


def signed(word):
    return word - (1 << 32) if word >> 31 else word


class Core:
    """The design under test."""

    def __init__(self, checker, mistake=False):
        self.checker, self.mistake = checker, mistake
        self.begin()

    def begin(self):
        """Takes over the reference's registers."""
        self.pc = self.checker.pc()
        self.registers = [self.checker.register(n) for n in range(15)]
        self.flags = self.checker.register(lockstep.NZCV) >> 28
        self.old = {}  # registers that the instruction before has loaded, with what they had before
        self.sleeps = False

    def read(self, n):
        if n == 15:
            return self.pc + 8 & WORD
        return self.old[n] if self.mistake and n in self.old else self.registers[n]

    def load(self, address, size=4):
        try:
            return self.checker.load(address, size)
        except lockstep.Error:  # nothing is there, which the commit will show
            return 0

    def store(self, address, word, size=4):
        try:
            self.checker.store(address, word, size)
        except lockstep.Error:
            pass

    def step(self):
        """Executes an instruction and returns what is committed."""
        i = self.checker.load(self.pc)
        self.next, self.loads = self.pc + 4, False
        c = lockstep.Commit(self.pc, passed=int(self.condition(i >> 28)), values={})
        if c.passed:
            self.execute(i, c)
        if lockstep.NZCV in c.values:
            self.flags = c.values[lockstep.NZCV] >> 28
        written = [n for n in c.values if n < 15]
        self.old = {n: self.registers[n] for n in written if self.loads}
        for n in written:
            self.registers[n] = c.values[n]
        self.pc = self.next
        return c

    def condition(self, code):
        n, z, c, v = (self.flags >> bit & 1 for bit in (3, 2, 1, 0))
        holds = (z, c, n, v, c and not z, n == v, n == v and not z, True)[code >> 1]
        return bool(holds) != (code & 1 and code < 14)

    def operand(self, i):
        """The shifter's: operand and carry."""
        carry = self.flags >> 1 & 1
        if i >> 25 & 7 == 1:
            word, kind, amount = i & 0xff, 3, i >> 7 & 30
        else:
            word, kind = self.read(i & 15), i >> 5 & 3
            amount = self.read(i >> 8 & 15) & 0xff if i & 16 else i >> 7 & 31
            if not i & 16 and not amount and kind:
                if kind == 3:
                    return carry << 31 | word >> 1, word & 1
                amount = 32
        if not amount:
            return word, carry
        if kind == 0:
            return word << amount & WORD, word << amount >> 32 & 1
        if kind < 3:
            word = signed(word) if kind == 2 else word
            return word >> amount & WORD, word >> amount - 1 & 1
        word = (word >> amount % 32 | word << 32 - amount % 32) & WORD
        return word, word >> 31

    def compute(self, i, c):
        """Data processing."""
        operation, number = i >> 21 & 15, i >> 12 & 15
        operand, carry = self.operand(i)
        rn, old_carry, overflow = self.read(i >> 16 & 15), self.flags >> 1 & 1, self.flags & 1
        logic = {0: rn & operand, 1: rn ^ operand, 8: rn & operand, 9: rn ^ operand, 12: rn | operand, 13: operand,
                 14: rn & ~operand & WORD, 15: ~operand & WORD}
        result = logic.get(operation)
        if result is None:
            inverted = operand ^ WORD
            sums = {2: (rn, inverted, 1), 3: (rn ^ WORD, operand, 1), 4: (rn, operand, 0), 5: (rn, operand, old_carry),
                    6: (rn, inverted, old_carry), 7: (rn ^ WORD, operand, old_carry), 10: (rn, inverted, 1),
                    11: (rn, operand, 0)}
            a, b, carry_in = sums[operation]
            carry, result = divmod(a + b + carry_in, 1 << 32)
            overflow = (a ^ result) & (b ^ result) & 1 << 31
        if not 8 <= operation < 12:
            c.values[number] = result
        if i >> 20 & 1:
            flags = result >> 31 << 3 | (not result) << 2 | carry << 1 | bool(overflow)
            c.values[lockstep.NZCV] = flags << 28

    def access(self, i, c):
        """LDR, STR, LDRB, STRB."""
        base, number, size = i >> 16 & 15, i >> 12 & 15, 1 if i >> 22 & 1 else 4
        offset = self.operand(i)[0] if i >> 25 & 1 else i & 0xfff
        moved = self.read(base) + (offset if i >> 23 & 1 else -offset) & WORD
        c.addresses = moved if i >> 24 & 1 else self.read(base)
        if i >> 20 & 1:
            self.loads = True
            c.values[number] = self.load(c.addresses, size)
        else:
            c.data = [self.read(number) & (1 << 8 * size) - 1]
            self.store(c.addresses, c.data[0], size)
        if i >> 21 & 1 or not i >> 24 & 1:
            c.values[base] = moved

    def access_several(self, i, c):
        """LDM, STM."""
        base, numbers = i >> 16 & 15, [n for n in range(16) if i >> n & 1]
        up, size = i >> 23 & 1, 4 * len(numbers)
        c.addresses = self.read(base) + (0 if up else -size) + (4 if i >> 24 & 1 == up else 0) & WORD
        moved = self.read(base) + (size if up else -size) & WORD
        if i >> 20 & 1:
            self.loads = True
            for k, n in enumerate(numbers):
                c.values[n] = self.load(c.addresses + 4 * k & WORD)
            self.next = c.values.pop(15, self.next)
        else:
            c.data = [self.read(n) for n in numbers]
            for k, word in enumerate(c.data):
                self.store(c.addresses + 4 * k & WORD, word)
        if i >> 21 & 1:
            c.values[base] = moved

    def execute(self, i, c):
        rd, rs, rm = i >> 12 & 15, self.read(i >> 8 & 15), self.read(i & 15)

        def has(mask, bits):
            return i & mask == bits

        if has(0x0ffffff0, 0x012fff10):  # BX
            self.next = rm
        elif has(0x0ffffff0, 0x012fff30):  # BLX
            self.next, c.values[14] = rm, self.pc + 4
        elif has(0x0fff0ff0, 0x016f0f10):  # CLZ
            c.values[rd] = 32 - rm.bit_length()
        elif has(0x0ff000f0, 0x00000090):  # MUL
            c.values[i >> 16 & 15] = rm * rs & WORD
        elif has(0x0ff000f0, 0x00200090):  # MLA
            c.values[i >> 16 & 15] = rm * rs + self.read(rd) & WORD
        elif has(0x0ff000f0, 0x00600090):  # MLS
            c.values[i >> 16 & 15] = self.read(rd) - rm * rs & WORD
        elif has(0x0ff0f0f0, 0x0730f010):  # UDIV
            c.values[i >> 16 & 15] = rm // rs if rs else 0
        elif has(0x0ff00000, 0x03000000):  # MOVW
            c.values[rd] = i >> 4 & 0xf000 | i & 0xfff
        elif has(0x0ff00000, 0x03400000):  # MOVT
            c.values[rd] = (i >> 4 & 0xf000 | i & 0xfff) << 16 | self.read(rd) & 0xffff
        elif has(0x0fffffff, 0x0320f003):  # WFI
            self.sleeps = True
        elif has(0x0e000090, 0x00000090) or has(0x0f900000, 0x01000000) or has(0x0fb00000, 0x03200000):
            sys.exit(f"FAIL: the core does not have the instruction 0x{i:08x} at 0x{self.pc:08x}")
        elif has(0x0c000000, 0x00000000):
            self.compute(i, c)
        elif has(0x0e000000, 0x04000000) or has(0x0e000010, 0x06000000):
            self.access(i, c)
        elif has(0x0e400000, 0x08000000):
            self.access_several(i, c)
        elif has(0x0e000000, 0x0a000000):  # B, BL
            if i >> 24 & 1:
                c.values[14] = self.pc + 4
            self.next = self.pc + 8 + (signed(i << 8 & WORD) >> 6) & WORD
        elif has(0x0f100010, 0x0e100010):  # MRC
            c.values[rd] = self.checker.coprocessor(i)
        elif not has(0x0f100010, 0x0e000010):  # MCR has no effect here
            sys.exit(f"FAIL: the core does not have the instruction 0x{i:08x} at 0x{self.pc:08x}")


def make_small(core, checker):
    """Prints the least number of instructions which, from the reference's registers on, differ."""
    for least in range(1, 65):
        if checker.rewind(least) < least:
            break
        core.begin()
        try:
            for _ in range(least):
                checker.commit(core.step())
        except lockstep.Difference:
            print(f"made small: these {least} instructions are enough\n{checker.print(least)}", end="")
            return
    print("not made small: no end of the last 64 instructions differs alone")


def main(command):
    mistake = command[:1] == ["--mistake"]
    command = command[mistake:]
    if not command:
        sys.exit(__doc__)
    launches = instructions = 0
    with lockstep.Machine(settings={"mode": "mimd"}) as machine, machine.program(*command) as program:
        for checker in program.launches(units=1):
            core = Core(checker, mistake)
            try:
                while not core.sleeps:
                    checker.commit(core.step())
            except lockstep.Difference as difference:
                print(difference)
                make_small(core, checker)
                sys.exit(f"FAIL: launch {launches + 1} differs")
            launches, instructions = launches + 1, instructions + checker.commits
    if program.status or not instructions:
        sys.exit(f"FAIL: {command[0]} ended with {program.status}, {instructions} instructions were compared")
    print(f"PASS: {launches} launches, {instructions} instructions")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except lockstep.Error as error:
        sys.exit(f"FAIL: {error}")
