#include "tb/verilated/verilated_glue.h"

#include "tb/verilated/verilated_ports.h"

/* Returns the signal of the module that defines the ports. */
static const struct verilog_signal *reference(const struct verilated_glue *g, unsigned n) {
    return verilated_ports_find(g->slot, &g->request->block->signal[n]);
}

/* Returns the signal in the source's module; NULL for a flip-flop that the module lacks. */
static const struct verilog_signal *own(const struct verilated_glue *g, unsigned n) {
    return verilated_ports_find(g->module, &g->request->block->signal[n]);
}

bool verilated_glue_has(const struct verilated_glue *g, unsigned n) {
    return own(g, n) && own(g, n)->bits == reference(g, n)->bits && own(g, n)->rows == reference(g, n)->rows;
}

/* --- common parts --- */

static const char prologue[] =
    "#include \"Vtwin.h\"\n"
    "#include \"Vtwin___024root.h\"\n"
    "#include \"stop.h\"\n"
    "#include <cstring>\n"
    "#define SHOWN extern \"C\" __attribute__((visibility(\"default\")))\n"
    "namespace {\n"
    /* The destructor of a scope uses the context that was evaluated last, which may be that of another,
     * destroyed twin. */
    "struct seeded : VerilatedContext {\n"
    "    explicit seeded(int seed) { randReset(2); randSeed(seed); traceEverOn(true); "
    "Verilated::threadContextp(this); }\n"
    "};\n"
    "struct twin {\n"
    "    seeded context;\n"
    "    Vtwin top{&context, \"rtl\"};\n"
    "    bool edge = false;\n" /* an edge that has not been evaluated yet */
    "    explicit twin(int seed) : context(seed) {}\n"
    "    ~twin() { Verilated::threadContextp(&context); }\n"
    "};\n"
    "Vtwin &top(void *t) { return static_cast<twin *>(t)->top; }\n"
    "Vtwin___024root &root(void *t) { return *top(t).rootp; }\n" /* public signals, as in
                                                                  * Verilator's manual */
    /* Returns a field of one of the model's structs; the elements that it points to. */
    "template <typename T> T field(const void *s, unsigned offset) {\n"
    "    T value;\n"
    "    std::memcpy(&value, static_cast<const char *>(s) + offset, sizeof value);\n"
    "    return value;\n"
    "}\n"
    "template <typename T> const T *elements(const void *s, unsigned offset) {\n"
    "    return field<const T *>(s, offset);\n"
    "}\n"
    /* Values of at most 128 bits. folded() is 0 only for 0. Conversions from and to Verilog. */
    "typedef unsigned __int128 wide;\n"
    "inline uint64_t folded(wide value) { return static_cast<uint64_t>(value | value >> 64); }\n"
    "template <typename T> uint64_t changed(const char *kept, const void *s, unsigned offset) {\n"
    "    if constexpr (sizeof(T) > 8)\n"
    "        return changed<uint64_t>(kept, s, offset) | changed<uint64_t>(kept + 8, s, offset + 8);\n"
    "    else\n"
    "        return static_cast<uint64_t>(field<T>(kept, 0) ^ field<T>(s, offset));\n"
    "}\n"
    "template <typename V> wide widened(const V &from) {\n"
    "    wide value = 0;\n"
    "    if constexpr (sizeof(V) > 8)\n"
    "        std::memcpy(&value, from.data(), sizeof(V));\n"
    "    else\n"
    "        value = from;\n"
    "    return value;\n"
    "}\n"
    "template <typename V, typename T> bool put(V &to, T value) {\n"
    "    const V before = to;\n"
    "    to = static_cast<V>(value);\n"
    "    return before != to;\n"
    "}\n"
    "template <typename V> void set_wide(V &to, wide value) {\n"
    "    if constexpr (sizeof(V) > 8)\n"
    "        std::memcpy(to.data(), &value, sizeof(V));\n"
    "    else\n"
    "        to = static_cast<V>(value);\n"
    "}\n"
    /* Packs N elements of BITS bits into words. Returns the bits that do not fit into their elements. */
    "template <unsigned BITS, unsigned N, typename T> uint64_t pack(uint32_t *to, const T *from) {\n"
    "    uint64_t held = 0, beyond = 0;\n"
    "    unsigned bits = 0, n = 0;\n"
    "    const auto add = [&](uint64_t value, unsigned count) {\n"
    "        held |= value << bits;\n"
    "        bits += count;\n"
    "        if (bits < 64) return;\n"
    "        std::memcpy(to, &held, sizeof held);\n"
    "        to += 2;\n"
    "        bits -= 64;\n"
    "        held = bits ? value >> (count - bits) : 0;\n"
    "    };\n"
    "#ifdef __BMI2__\n"
    "    constexpr unsigned MANY = sizeof(T) < 8 ? 8 / sizeof(T) : 1;\n"
    "    for (; MANY > 1 && n + MANY <= N; n += MANY) {\n"
    "        constexpr uint64_t ONE = ~UINT64_C(0) >> (64 - BITS % 64) % 64;\n"
    "        constexpr uint64_t MASK = MANY == 8 ? ONE * 0x0101010101010101u : ONE | ONE << 32;\n"
    "        uint64_t value;\n"
    "        std::memcpy(&value, from + n, sizeof value);\n"
    "        beyond |= value & ~MASK;\n"
    "        add(__builtin_ia32_pext_di(value, MASK), MANY * BITS);\n"
    "    }\n"
    "#endif\n"
    "    for (; n < N; ++n) {\n"
    "        const uint64_t value = static_cast<uint64_t>(from[n]);\n"
    "        if (BITS < 64) beyond |= value >> BITS % 64;\n"
    "        if constexpr (sizeof(T) > 8) {\n"
    "            const uint64_t high = static_cast<uint64_t>(from[n] >> 64);\n"
    "            beyond |= BITS < 128 ? high >> (BITS > 64 ? BITS % 64 : 0) : 0;\n"
    "            add(value, BITS < 64 ? BITS : 64);\n"
    "            if (BITS > 64) add(high, BITS - 64);\n"
    "        } else {\n"
    "            add(value, BITS);\n"
    "        }\n"
    "    }\n"
    "    std::memcpy(to, &held, (bits + 31) / 32 * 4);\n"
    "    return beyond;\n"
    "}\n"
    /* Returns the differing bits of N bytes, at most 32 at a time, within `mask` (NULL: all). */
    "typedef uint64_t pair __attribute__((vector_size(16)));\n"
    "typedef uint64_t four __attribute__((vector_size(32)));\n"
    "struct difference {\n"
    "    four many{};\n"
    "    pair two{};\n"
    "    uint64_t one = 0;\n"
    "    template <typename V>\n"
    "    static V at(unsigned n, const char *kept, const char *now, const unsigned char *mask) {\n"
    "        V a, b, bits;\n"
    "        std::memcpy(&a, kept + n, sizeof a);\n"
    "        std::memcpy(&b, now + n, sizeof b);\n"
    "        if (!mask) return a ^ b;\n"
    "        std::memcpy(&bits, mask + n, sizeof bits);\n"
    "        return (a ^ b) & bits;\n"
    "    }\n"
    "    template <typename V, unsigned N>\n"
    "    static V all(const char *kept, const char *now, const unsigned char *mask) {\n"
    "        V bits{};\n"
    "        for (unsigned n = 0; n + sizeof(V) <= N; n += sizeof(V)) bits |= at<V>(n, kept, now, mask);\n"
    "        if (N % sizeof(V)) bits |= at<V>(N - sizeof(V), kept, now, mask);\n"
    "        return bits;\n"
    "    }\n"
    "    template <unsigned N> void add(const void *a, const void *b, const unsigned char *mask = nullptr) "
    "{\n"
    "        const char *const kept = static_cast<const char *>(a), *const now = static_cast<const char "
    "*>(b);\n"
    "        if constexpr (N >= 32) many |= all<four, N>(kept, now, mask);\n"
    "        else if constexpr (N >= 16) two |= all<pair, N>(kept, now, mask);\n"
    "        else if constexpr (N >= 8) one |= all<uint64_t, N>(kept, now, mask);\n"
    "        else if constexpr (N >= 4) one |= all<uint32_t, N>(kept, now, mask);\n"
    "        else one |= all<uint8_t, N>(kept, now, mask);\n"
    "    }\n"
    "    bool any() const {\n"
    "        const pair low = {many[0], many[1]}, high = {many[2], many[3]}, both = low | high | two;\n"
    "        return (both[0] | both[1] | one) != 0;\n"
    "    }\n"
    "};\n"
    "template <unsigned BITS, unsigned N, typename T, typename V> void set(V &to, const T *from) {\n"
    "    if constexpr (sizeof(V) > 8 && BITS == 8 * sizeof(T)) {\n"
    "        std::memcpy(&to, from, N * sizeof(T));\n"
    "    } else if constexpr (sizeof(V) > 8) {\n"
    "        pack<BITS, N>(to.data(), from);\n"
    "    } else {\n"
    "        uint32_t words[2] = {0, 0};\n"
    "        pack<BITS, N>(words, from);\n"
    "        to = static_cast<V>(static_cast<uint64_t>(words[1]) << 32 | words[0]);\n"
    "    }\n"
    "}\n"
    "template <unsigned BITS, unsigned N, typename T, typename V>\n"
    "bool differ(const V &verilog, const T *model) {\n"
    "    if constexpr (sizeof(V) > 8 && BITS == 8 * sizeof(T)) {\n"
    "        difference d;\n"
    "        d.add<N * sizeof(T)>(&verilog, model);\n"
    "        return d.any();\n"
    "    } else if constexpr (sizeof(V) > 8 && BITS == 32) {\n"
    "        uint64_t difference = 0;\n"
    "        for (unsigned n = 0; n < N; ++n) difference |= verilog.data()[n] ^ "
    "static_cast<uint64_t>(model[n]);\n"
    "        return difference != 0;\n"
    "    } else {\n"
    "        V packed{};\n"
    "        uint64_t beyond = 0;\n"
    "        if constexpr (sizeof(V) > 8) {\n"
    "            beyond = pack<BITS, N>(packed.data(), model);\n"
    "            return beyond || std::memcmp(&verilog, &packed, sizeof(V)) != 0;\n"
    "        } else {\n"
    "            uint32_t words[2] = {0, 0};\n"
    "            beyond = pack<BITS, N>(words, model);\n"
    "            return beyond || verilog != (static_cast<uint64_t>(words[1]) << 32 | words[0]);\n"
    "        }\n"
    "    }\n"
    "}\n"
    "}\n"
    "SHOWN void *twin_create(int seed) { twin_stopped[0] = 0; return new twin(seed); }\n"
    "SHOWN void twin_destroy(void *t) {\n"
    "    twin *const own = static_cast<twin *>(t);\n"
    "    delete own;\n"
    "}\n"
    "SHOWN void twin_hush(bool quiet) { twin_quiet = quiet; }\n"
    "const char *evaluate(void *t) {\n"
    "    try { top(t).eval(); } catch (const twin_stop &) {}\n"
    "    return __builtin_expect(twin_stopped[0], 0) ? twin_stopped : nullptr;\n"
    "}\n";

/* --- signals and their places --- */

/* Returns the C type of a signal, or of its elements, in the model. */
static const char *type_of(const struct twin_signal *s) {
    switch (s->bytes) {
    case 1: return "uint8_t";
    case 4: return "uint32_t";
    case 8: return "uint64_t";
    default: return "wide";
    }
}

/* Writes the expression for the Verilog's signal: a port of the model `p`, or a public signal of its root
 * `v`. */
static void write_place(FILE *out, const struct verilated_glue *g, unsigned n) {
    const struct twin_signal *s = &g->request->block->signal[n];
    if (s->kind >= VERILOG_STATE)
        fprintf(out, "v.%s__DOT__%s", g->wrapped ? VERILATED_WRAPPER "__DOT__block" : g->module->mangled,
                own(g, n)->mangled);
    else
        fprintf(out, "p.%s", own(g, n)->mangled);
}

static void write_signals(FILE *out, const struct verilated_glue *g) {
    const struct twin_block *block = g->request->block;
    fprintf(out, "SHOWN void *twin_signal(void *t, unsigned n) {\n    Vtwin &p = top(t);\n"
                 "    Vtwin___024root &v = root(t);\n    "
                 "switch (n) {\n");
    for (unsigned i = 0; i < block->count; ++i) {
        if (!verilated_glue_has(g, i)) continue;
        fprintf(out, "    case %u: return &", i);
        write_place(out, g, i);
        fprintf(out, ";\n");
    }
    fprintf(out, "    default: return nullptr;\n    }\n}\nSHOWN unsigned twin_bits(unsigned n) {\n"
                 "    static const unsigned bits[] = {");
    for (unsigned i = 0; i < block->count; ++i) fprintf(out, "%u, ", own(g, i) ? own(g, i)->bits : 0);
    fprintf(out, "};\n    return bits[n];\n}\nSHOWN unsigned twin_element_bits(unsigned n) {\n"
                 "    static const unsigned bits[] = {");
    for (unsigned i = 0; i < block->count; ++i) fprintf(out, "%u, ", reference(g, i)->element_bits);
    fprintf(out, "};\n    return bits[n];\n}\nSHOWN unsigned twin_rows(unsigned n) {\n"
                 "    static const unsigned rows[] = {");
    for (unsigned i = 0; i < block->count; ++i) fprintf(out, "%u, ", reference(g, i)->rows);
    fprintf(out, "};\n    return rows[n];\n}\n");
}

/* --- a cycle --- */

/* Writes the template arguments "<BITS, N>" of an array. */
static void write_shape(FILE *out, const struct verilated_glue *g, unsigned n) {
    const struct verilog_signal *s = reference(g, n);
    fprintf(out, "<%u, %u>", s->element_bits, s->bits / s->element_bits);
}

/* A clock that is high falls before it rises again; a falling clock changes nothing. */
static const char wrapped_clocks[] = "static const char *raise(void *t, bool load, bool edge) {\n"
                                     "    Vtwin &p = top(t);\n"
                                     "    if ((load & p.load_clk) | (edge & p.clk_i)) {\n"
                                     "        p.load_clk = p.clk_i = 0;\n"
                                     "        p.eval();\n"
                                     "    }\n"
                                     "    p.load_clk = load;\n"
                                     "    p.clk_i = edge;\n"
                                     "    return evaluate(t);\n"
                                     "}\n"
                                     "static void finish(void *t) {\n"
                                     "    twin *const own = static_cast<twin *>(t);\n"
                                     "    if (!own->edge) return;\n"
                                     "    own->edge = false;\n"
                                     "    raise(t, false, true);\n"
                                     "}\n"
                                     "SHOWN void twin_finish(void *t) { finish(t); }\n"
                                     "SHOWN const char *twin_eval(void *t) {\n"
                                     "    top(t).load_clk = 0;\n"
                                     "    evaluate(t);\n"
                                     "    top(t).load_clk = 1;\n"
                                     "    return evaluate(t);\n"
                                     "}\n"
                                     "SHOWN const char *twin_edge(void *t) {\n"
                                     "    finish(t);\n"
                                     "    static_cast<twin *>(t)->edge = true;\n"
                                     "    return nullptr;\n"
                                     "}\n";

/* Writes the rising edge of the clock, without other changes. */
static void write_edge(FILE *out, const struct verilated_glue *g) {
    if (g->wrapped) {
        fputs(wrapped_clocks, out);
        return;
    }
    fprintf(out, "static void finish(void *) {}\n"
                 "SHOWN const char *twin_eval(void *t) { return evaluate(t); }\n");
    if (g->module->clocked)
        fprintf(out, "SHOWN const char *twin_edge(void *t) {\n"
                     "    top(t).clk_i = 1;\n"
                     "    return evaluate(t);\n}\n");
}

/* Writes twin_force(): all logic is evaluated again, as at the start. An ordinary evaluation looks at inputs
 * and clocks only. Verilator has no public function for it: with a Verilator without this one, the reference
 * is NULL, and twin_force() says so. */
static void write_force(FILE *out, const struct verilated_glue *g) {
    if (g->request->slot) return;
    fprintf(out, "void Vtwin___024root___eval_settle(Vtwin___024root *) __attribute__((weak));\n"
                 "SHOWN const char *twin_force(void *t) {\n"
                 "    void (*const settle)(Vtwin___024root *) = Vtwin___024root___eval_settle;\n"
                 "    if (!settle) return \"this Verilator cannot evaluate a block by force\";\n"
                 "    finish(t);\n"
                 "    const char *stopped = twin_eval(t);\n"
                 "    settle(&root(t));\n"
                 "    return stopped;\n}\n");
}

/* Writes the assignment of an input. It sets `changed` if the value differs; arrays and wide inputs always
 * count as changed. */
static void write_input(FILE *out, const struct verilated_glue *g, unsigned n) {
    const struct twin_signal *s = &g->request->block->signal[n];
    const char *name = own(g, n)->mangled;
    if (s->array) {
        fprintf(out, "    changed = true;\n    set");
        write_shape(out, g, n);
        fprintf(out, "(p.%s, elements<%s>(in, %u));\n", name, type_of(s), s->offset);
    } else if (s->bytes > 8) {
        fprintf(out, "    changed = true;\n    set_wide(p.%s, field<wide>(in, %u));\n", name, s->offset);
    } else {
        fprintf(out, "    changed |= put(p.%s, field<uint%u_t>(in, %u));\n", name, 8 * s->bytes, s->offset);
    }
}

/* Writes twin_settle(). Unchanged inputs need no evaluation, since the reset has evaluated the block. */
static void write_settle(FILE *out, const struct verilated_glue *g) {
    const struct twin_block *block = g->request->block;
    fprintf(out,
            "SHOWN const char *twin_settle(void *t, const void *in) {\n"
            "    Vtwin &p = top(t);\n    bool changed = %s;\n",
            g->wrapped && g->module->resettable ? "false" : "true");
    if (g->module->clocked && !g->wrapped) fprintf(out, "    p.clk_i = 0;\n");
    for (unsigned i = 0; i < block->count; ++i)
        if (block->signal[i].kind == VERILOG_INPUT) write_input(out, g, i);
    fprintf(out, g->wrapped ? "    twin *const own = static_cast<twin *>(t);\n"
                              "    const bool edge = own->edge;\n"
                              "    own->edge = false;\n"
                              "    return changed | edge ? raise(t, changed, edge) : nullptr;\n}\n"
                            : "    return evaluate(t);\n}\n");
}

/* Writes the comparison of a signal with the model's struct at `s`. */
static void write_comparison(FILE *out, const struct verilated_glue *g, unsigned n, const char *s) {
    const struct twin_signal *signal = &g->request->block->signal[n];
    if (signal->array) {
        fprintf(out, "    if (differ");
        write_shape(out, g, n);
        fprintf(out, "(");
        write_place(out, g, n);
        if (signal->kind == VERILOG_MEMORY)
            fprintf(out, "[row], reinterpret_cast<const %s *>(static_cast<const char *>(%s) + %u)))",
                    type_of(signal), s, signal->offset);
        else
            fprintf(out, ", elements<%s>(%s, %u)))", type_of(signal), s, signal->offset);
        fprintf(out, " return false;\n");
        return;
    }
    if (signal->bytes > 8) {
        fprintf(out, "    difference |= folded(widened(");
        write_place(out, g, n);
        fprintf(out, "%s) ^ field<wide>(%s, %u));\n", signal->kind == VERILOG_MEMORY ? "[row]" : "", s,
                signal->offset);
        return;
    }
    fprintf(out, "    difference |= static_cast<uint64_t>(");
    write_place(out, g, n);
    fprintf(out, "%s) ^ field<uint%u_t>(%s, %u);\n", signal->kind == VERILOG_MEMORY ? "[row]" : "",
            8 * signal->bytes, s, signal->offset);
}

static void write_comparisons(FILE *out, const struct verilated_glue *g, enum verilog_kind kind,
                              const char *s) {
    const struct twin_block *block = g->request->block;
    for (unsigned i = 0; i < block->count; ++i)
        if (block->signal[i].kind == kind && verilated_glue_has(g, i)) write_comparison(out, g, i, s);
}

/* Layout of a record: the model's inputs, outputs and flip-flops, then the elements of arrays, each at a
 * multiple of 8 bytes. The functions below compute offsets and sizes. */
static unsigned rounded(unsigned bytes) {
    return (bytes + 7) / 8 * 8;
}

static unsigned part_bytes(const struct verilated_glue *g, enum verilog_kind kind) {
    const struct twin_block *block = g->request->block;
    unsigned bytes = 0;
    for (unsigned i = 0; i < block->count; ++i) {
        const struct twin_signal *s = &block->signal[i];
        const unsigned end = s->offset + (s->array ? (unsigned)sizeof(void *) : s->bytes);
        if (s->kind == kind && verilated_glue_has(g, i) && end > bytes) bytes = end;
    }
    return bytes;
}

static unsigned array_bytes(const struct verilated_glue *g, unsigned n) {
    const struct verilog_signal *s = reference(g, n);
    return s->bits / s->element_bits * g->request->block->signal[n].bytes;
}

/* Computes the offsets of parts and arrays in a record. Returns its size. */
static unsigned place_kept(const struct verilated_glue *g, unsigned part[], unsigned kept[]) {
    const struct twin_block *block = g->request->block;
    unsigned at = 0;
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_STATE; ++kind) {
        part[kind] = at;
        for (unsigned i = 0; i < block->count; ++i)
            if (block->signal[i].kind == kind) kept[i] = at + block->signal[i].offset;
        at += rounded(part_bytes(g, kind));
    }
    for (unsigned i = 0; i < block->count; ++i) {
        const struct twin_signal *s = &block->signal[i];
        if (!s->array || s->kind > VERILOG_STATE || !verilated_glue_has(g, i)) continue;
        kept[i] = at;
        at += rounded(array_bytes(g, i));
    }
    return at;
}

static const char *const part_name[] = {"in", "out", "q"};

static void write_copies(FILE *out, const struct verilated_glue *g, const unsigned part[],
                         const unsigned kept[]) {
    const struct twin_block *block = g->request->block;
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_STATE; ++kind)
        if (part_bytes(g, kind))
            fprintf(out, "    std::memcpy(to + %u, %s, %u);\n", part[kind], part_name[kind],
                    part_bytes(g, kind));
    for (unsigned i = 0; i < block->count; ++i) {
        const struct twin_signal *s = &block->signal[i];
        if (s->array && s->kind <= VERILOG_STATE && verilated_glue_has(g, i))
            fprintf(out, "    std::memcpy(to + %u, elements<char>(%s, %u), %u);\n", kept[i],
                    part_name[s->kind], s->offset, array_bytes(g, i));
    }
}

/* Writes the comparison with a record: inputs first, which differ most often; arrays last. Each value is read
 * with the width with which the model has written it, since a wider read would stall on store forwarding. */
static void write_changes(FILE *out, const struct verilated_glue *g, const unsigned kept[]) {
    const struct twin_block *block = g->request->block;
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_STATE; ++kind) {
        for (unsigned i = 0; i < block->count; ++i) {
            const struct twin_signal *s = &block->signal[i];
            if (s->kind != kind || s->array || !verilated_glue_has(g, i)) continue;
            fprintf(out, "    bits |= changed<%s>(kept + %u, %s, %u);\n", type_of(s), kept[i],
                    part_name[s->kind], s->offset);
        }
        fprintf(out, "    if (bits) return false;\n");
    }
    for (unsigned i = 0; i < block->count; ++i) {
        const struct twin_signal *s = &block->signal[i];
        if (s->kind > VERILOG_STATE || !s->array || !verilated_glue_has(g, i)) continue;
        fprintf(out, "    d.add<%u>(kept + %u, elements<char>(%s, %u));\n", array_bytes(g, i), kept[i],
                part_name[s->kind], s->offset);
    }
}

static void write_keep(FILE *out, const struct verilated_glue *g) {
    const struct twin_block *block = g->request->block;
    unsigned kept[VERILOG_MAX_SIGNALS] = {0}, part[VERILOG_MEMORY];
    const unsigned bytes = place_kept(g, part, kept);
    fprintf(out, "SHOWN void twin_keep(char *to, const void *in, const void *out, const void *q) {\n");
    write_copies(out, g, part, kept);
    fprintf(out,
            "}\nSHOWN bool twin_same(const char *kept, const void *in, const void *out, const void *q) {\n"
            "    difference d;\n    uint64_t bits = 0;\n");
    write_changes(out, g, kept);
    fprintf(out, "    return !d.any();\n}\nSHOWN unsigned twin_kept(unsigned n) {\n"
                 "    static const unsigned kept[] = {");
    for (unsigned i = 0; i < block->count; ++i) fprintf(out, "%u, ", kept[i]);
    fprintf(out, "%u};\n    return kept[n];\n}\n", bytes);
}

static void write_equal(FILE *out, const struct verilated_glue *g) {
    fprintf(out, "SHOWN bool twin_equal(void *t, const void *out, const void *q) {\n"
                 "    finish(t);\n"
                 "    Vtwin &p = top(t);\n    Vtwin___024root &v = root(t);\n    uint64_t difference = 0;\n");
    write_comparisons(out, g, VERILOG_OUTPUT, "out");
    write_comparisons(out, g, VERILOG_STATE, "q");
    fprintf(out, "    return !difference;\n}\n"
                 "SHOWN bool twin_row_equal(void *t, const void *model, unsigned row) {\n"
                 "    finish(t);\n"
                 "    Vtwin &p = top(t);\n    Vtwin___024root &v = root(t);\n    uint64_t difference = 0;\n");
    write_comparisons(out, g, VERILOG_MEMORY, "model");
    fprintf(out, "    return !difference;\n}\n");
}

/* Writes a whole cycle for the case that both sides agree. */
static void write_step(FILE *out, const struct verilated_glue *g) {
    if (g->request->slot) return;
    fprintf(out,
            "SHOWN bool twin_step(void *t, char *to, const void *in, const void *out, const void *q) {\n"
            "    twin_settle(t, in);\n"
            "    if (!twin_equal(t, out, q)) return false;\n"
            "    twin_keep(to, in, out, q);\n%s"
            "    return true;\n}\n",
            g->module->clocked ? "    twin_edge(t);\n" : "");
}

static void write_vectors(FILE *out, const struct verilog_module *m, enum verilog_kind kind,
                          const char *declaration, const char *after) {
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == kind)
            fprintf(out, "%s [%u:0] %s%s%s\n", declaration, m->signal[i].bits - 1, m->signal[i].name,
                    twin_suffix[kind], after);
}

void verilated_glue_write_wrapper(FILE *out, const struct verilog_module *m, const char *name) {
    fprintf(out, "// verilator coverage_off\nmodule " VERILATED_WRAPPER " (\n");
    write_vectors(out, m, VERILOG_INPUT, "input logic", ",");
    write_vectors(out, m, VERILOG_OUTPUT, "output logic", ",");
    fprintf(out, "%s    input logic load_clk, clk_i\n);\n", m->resettable ? "    input logic rst_ni,\n" : "");
    write_vectors(out, m, VERILOG_INPUT, "    logic", "_q;");
    fprintf(out, "    always_ff @(posedge load_clk) begin\n");
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == VERILOG_INPUT)
            fprintf(out, "        %s_i_q <= %s_i;\n", m->signal[i].name, m->signal[i].name);
    fprintf(out, "    end\n    %s #(", name);
    for (unsigned i = 0; i < m->parameter_count; ++i)
        fprintf(out, "%s.%s(%u)", i ? ", " : "", m->parameter[i].name, m->parameter[i].value);
    fprintf(out, ") block (.clk_i%s", m->resettable ? ", .rst_ni" : "");
    for (unsigned i = 0; i < m->count; ++i) {
        const char *port = m->signal[i].name;
        if (m->signal[i].kind == VERILOG_INPUT) fprintf(out, ",\n        .%s_i(%s_i_q)", port, port);
        if (m->signal[i].kind == VERILOG_OUTPUT) fprintf(out, ",\n        .%s_o", port);
    }
    fprintf(out, ");\nendmodule\n");
}

void verilated_glue_write(FILE *out, const struct verilated_glue *g) {
    fputs(prologue, out);
    if (g->module->clocked) fprintf(out, "SHOWN void *twin_clock(void *t) { return &top(t).clk_i; }\n");
    if (g->module->resettable) fprintf(out, "SHOWN void *twin_reset(void *t) { return &top(t).rst_ni; }\n");
    write_signals(out, g);
    write_edge(out, g);
    write_force(out, g);
    write_settle(out, g);
    write_equal(out, g);
    write_keep(out, g);
    write_step(out, g);
}
