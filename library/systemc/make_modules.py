"""Writes lockstep_blocks.h, the blocks' models as modules of SystemC: make_modules.py PORTS >HEADER

PORTS is _ports.py of the Python module: of each block its parameters, whether it has a clock, and its signals.
"""

import sys

WORD = 64


def port_type(bits):
    """Returns the type of an element."""
    if bits == 1:
        return "bool"
    return f"sc_dt::sc_uint<{bits}>" if bits <= WORD else f"sc_dt::sc_biguint<{bits}>"


def port(kind, name, bits, count):
    """Returns the declaration of a port."""
    ending = "i" if kind == "in" else "o"
    one = f"sc_core::sc_{kind}<{port_type(bits)}>"
    if count == 1:
        return f"    {one} {name}_{ending}{{\"{name}_{ending}\"}};"
    return f"    sc_core::sc_vector<{one}> {name}_{ending}{{\"{name}_{ending}\", {count}}};"


def places(name, count, ending):
    """Yields the place of each element in the struct and in the ports: as a loop's body."""
    if count == 1:
        return "", f"{name}", f"{name}_{ending}"
    return f"for (int k = 0; k < {count}; ++k) ", f"{name}[k]", f"{name}_{ending}[k]"


def take(name, bits, count):
    """Returns the lines that put an input into the struct."""
    loop, field, place = places(name, count, "i")
    if bits <= WORD:
        return [f"        {loop}in.{field} = {place}.read();"]
    return [f"        {loop}words({place}.read(), in.{field});"]


def give(name, bits, count):
    """Returns the lines that write an output."""
    loop, field, place = places(name, count, "o")
    if bits <= WORD:
        return [f"        {loop}{place}.write(out.{field});"]
    return [f"        {loop}{place}.write(value<{bits}>(out.{field}));"]


def module(block, parameters, clocked, signals):
    """Returns a block's class."""
    ports = [s for s in signals if s[0] in ("in", "out")]
    arguments = ", ".join(f"unsigned {p}" for p in parameters)
    separator = ", " if arguments else ""
    has_state = any(s[0] == "state" for s in signals)
    lines = [
        f"/* rtl/{block}.sv. Ports are as wide as those of the largest block. */",
        f"class {block} : public sc_core::sc_module {{",
        f"    SC_HAS_PROCESS({block});",
        "",
        "public:",
    ]
    if clocked:
        lines += ["    sc_core::sc_in<bool> clk_i{\"clk_i\"}, rst_ni{\"rst_ni\"};"]
    lines += [port(*s) for s in ports]
    lines += [
        "",
        f"    {block}(sc_core::sc_module_name name{separator}{arguments})",
        f"        : sc_module(name), model(lockstep_{block}_create({', '.join(parameters)})) {{",
        "        if (!model) SC_REPORT_FATAL(this->name(), lockstep_error());",
        "        SC_METHOD(evaluate);",
    ]
    if clocked:
        lines += ["        sensitive << edge;"]
    for kind, name, _, count in ports:
        if kind == "in" and count == 1:
            lines += [f"        sensitive << {name}_i;"]
        elif kind == "in":
            lines += [f"        for (auto &one : {name}_i) sensitive << one;"]
    if clocked:
        lines += ["        SC_METHOD(clock);", "        sensitive << clk_i.pos() << rst_ni.neg();",
                  "        dont_initialize();"]
    lines += ["    }", f"    ~{block}() override {{ lockstep_{block}_destroy(model); }}"]
    if has_state:
        lines += [
            "    /* The flip-flops. */",
            f"    lockstep_{block}_state state() const {{",
            f"        lockstep_{block}_state q;",
            f"        lockstep_{block}_read(model, nullptr, nullptr, &q);",
            "        return q;",
            "    }",
        ]
    lines += ["", "private:", f"    lockstep_{block} *model;"]
    if clocked:
        lines += ["    sc_core::sc_event edge;"]
    lines += [
        "",
        "    void evaluate() {",
        f"        lockstep_{block}_in in = {{}};",
        f"        lockstep_{block}_out out = {{}};",
    ]
    for kind, name, bits, count in ports:
        if kind == "in":
            lines += take(name, bits, count)
    lines += [f"        if (!lockstep_{block}_eval(model, &in, &out)) {{"]
    if not clocked:  # else it is an error at the edge
        lines += ["            SC_REPORT_ERROR(name(), lockstep_error());"]
    lines += ["            return;", "        }"]
    for kind, name, bits, count in ports:
        if kind == "out":
            lines += give(name, bits, count)
    lines += ["    }"]
    if clocked:
        lines += [
            "    void clock() {",
            f"        if (!rst_ni.read()) lockstep_{block}_reset(model);",
            f"        else if (!lockstep_{block}_clock(model)) SC_REPORT_ERROR(name(), lockstep_error());",
            "        edge.notify(sc_core::SC_ZERO_TIME);",
            "    }",
        ]
    return "\n".join(lines + ["};"])


scope = {}
with open(sys.argv[1], encoding="utf-8") as file:
    exec(file.read(), scope)  # our own table
print("""/* The blocks' models as modules of SystemC (docs/library.md), made from the ports of their Verilog. */
#ifndef LOCKSTEP_BLOCKS_SYSTEMC_H
#define LOCKSTEP_BLOCKS_SYSTEMC_H

#include <lockstep.h>
#include <systemc>

namespace lockstep {

template <int bits> void words(const sc_dt::sc_biguint<bits> &from, uint64_t to[2]) {
    to[0] = from.range(63, 0).to_uint64();
    to[1] = from.range(bits - 1, 64).to_uint64();
}

template <int bits> sc_dt::sc_biguint<bits> value(const uint64_t from[2]) {
    sc_dt::sc_biguint<bits> to = from[1];
    return to << 64 | sc_dt::sc_biguint<bits>(from[0]);
}
""")
print("\n\n".join(module(block, *row) for block, row in scope["PORTS"].items()))
print("\n} // namespace lockstep\n\n#endif")
