#include "tb/verilated_insides.h"

#include <stdlib.h>
#include <string.h>

const char *const verilated_insides_arguments[] = {"--trace-fst",
                                                   "--trace-structs",
                                                   "--trace-max-array",
                                                   VERILATED_INSIDES_ROWS,
                                                   "--trace-max-width",
                                                   "262144",
                                                   NULL};

/* What Verilator's code calls; its names are Verilator's. Parameters are no signals, and of the ports of the
 * top, which come first and again inside the module, the second ones are kept. */
static const char header[] =
    "#ifndef TWIN_INSIDES\n#define TWIN_INSIDES\n"
    "#define VM_TRACE 1\n" /* what the design opens to dump is then closed with it */
    "#include \"verilated.h\"\n#include \"verilated_trace.h\"\n#include \"gtkwave/fstapi.h\"\n"
    "#include <cstring>\n#include <deque>\n#include <map>\n#include <string>\n#include <vector>\n"
    "struct twin_enum {\n"
    "    const char *name;\n    unsigned count;\n    const char *const *item;\n    const uint64_t "
    "*value;\n};\n"
    "struct twin_inside {\n"
    "    const char *path;\n    unsigned word, bits;\n    bool real;\n    const twin_enum *type;\n};\n"
    "struct VerilatedFstBuffer {\n"
    "    uint32_t *words;\n"
    "    uint32_t *oldp(uint32_t code) { return words + code; }\n"
    "    template <typename T> static void put(uint32_t *to, const T &v) { std::memcpy(to, &v, sizeof v); }\n"
    "    void fullBit(uint32_t *to, CData v) { *to = v; }\n"
    "    void fullEvent(uint32_t *to, VlEvent) { *to = 0; }\n"
    "    void fullCData(uint32_t *to, CData v, int) { *to = v; }\n"
    "    void fullSData(uint32_t *to, SData v, int) { *to = v; }\n"
    "    void fullIData(uint32_t *to, IData v, int) { *to = v; }\n"
    "    void fullQData(uint32_t *to, QData v, int) { put(to, v); }\n"
    "    void fullDouble(uint32_t *to, double v) { put(to, v); }\n"
    "    void fullWData(uint32_t *to, const WData *v, int bits) { std::memcpy(to, v, (bits + 31) / 32 * 4); "
    "}\n"
    "    void chgBit(uint32_t *, CData) {}\n"
    "    void chgEvent(uint32_t *, VlEvent) {}\n"
    "    void chgCData(uint32_t *, CData, int) {}\n"
    "    void chgSData(uint32_t *, SData, int) {}\n"
    "    void chgIData(uint32_t *, IData, int) {}\n"
    "    void chgQData(uint32_t *, QData, int) {}\n"
    "    void chgDouble(uint32_t *, double) {}\n"
    "    void chgWData(uint32_t *, const WData *, int) {}\n"
    "};\n"
    "struct VerilatedFst {\n"
    "    using Buffer = VerilatedFstBuffer;\n"
    "    using init = void (*)(void *, VerilatedFst *, uint32_t);\n"
    "    using full = void (*)(void *, Buffer *);\n"
    "    using cleanup = void (*)(void *, VerilatedFst *);\n"
    "    std::vector<std::pair<full, void *>> readers;\n"
    "    std::deque<std::string> texts;\n"
    "    std::deque<std::vector<const char *>> items;\n"
    "    std::deque<std::vector<uint64_t>> values;\n"
    "    std::deque<twin_enum> enums;\n"
    "    std::map<int, const twin_enum *> of;\n"
    "    std::vector<twin_inside> insides;\n"
    "    std::vector<std::string> prefix{\"\"};\n"
    "    unsigned words = 0;\n"
    "    void addModel(VerilatedModel *) {}\n"
    "    void addInitCb(init, void *) {}\n"
    "    void addFullCb(full f, void *self) { readers.emplace_back(f, self); }\n"
    "    void addChgCb(full, void *) {}\n"
    "    void addCleanupCb(cleanup, void *) {}\n"
    "    void scopeEscape(char) {}\n"
    "    const char *keep(const std::string &text) { texts.push_back(text); return texts.back().c_str(); }\n"
    "    void pushNamePrefix(const std::string &name) {\n"
    "        std::string text = prefix.back();\n"
    "        for (const char c : name) if (!(c & 0x80)) text += c;\n"
    "        prefix.push_back(text);\n"
    "    }\n"
    "    void popNamePrefix(unsigned n = 1) { while (n--) prefix.pop_back(); }\n"
    "    void declare(uint32_t code, const char *name, int type, fstVarType kind, bool array, int row,\n"
    "                 unsigned bits, bool real) {\n"
    "        const unsigned end = code + (real ? 2 : (bits + 31) / 32);\n"
    "        if (words < end) words = end;\n"
    "        if (kind == FST_VT_VCD_PARAMETER || prefix.size() == 1) return;\n"
    "        std::string path = prefix.back() + name;\n"
    "        if (array) path += \"[\" + std::to_string(row) + \"]\";\n"
    "        path.erase(0, path.find(' ') + 1);\n" /* the module's own name */
    "        insides.push_back({keep(path), code, bits, real, type < 0 ? nullptr : of[type]});\n"
    "    }\n"
    "    void declEvent(uint32_t c, const char *, int, fstVarDir, fstVarType, bool, int) {\n"
    "        if (words < c + 1) words = c + 1;\n    }\n"
    "    void declBit(uint32_t c, const char *n, int t, fstVarDir, fstVarType k, bool a, int r) {\n"
    "        declare(c, n, t, k, a, r, 1, false);\n    }\n"
    "    void declBus(uint32_t c, const char *n, int t, fstVarDir, fstVarType k, bool a, int r, int m, int "
    "l) {\n"
    "        declare(c, n, t, k, a, r, (m < l ? l - m : m - l) + 1, false);\n    }\n"
    "    void declQuad(uint32_t c, const char *n, int t, fstVarDir d, fstVarType k, bool a, int r, int m, "
    "int l) "
    "{\n"
    "        declBus(c, n, t, d, k, a, r, m, l);\n    }\n"
    "    void declArray(uint32_t c, const char *n, int t, fstVarDir d, fstVarType k, bool a, int r, int m, "
    "int "
    "l) {\n"
    "        declBus(c, n, t, d, k, a, r, m, l);\n    }\n"
    "    void declDouble(uint32_t c, const char *n, int t, fstVarDir, fstVarType k, bool a, int r) {\n"
    "        declare(c, n, t, k, a, r, 64, true);\n    }\n"
    "    void declDTypeEnum(int type, const char *name, uint32_t n, unsigned, const char **item,\n"
    "                       const char **value) {\n"
    "        items.emplace_back();\n        values.emplace_back();\n"
    "        for (uint32_t i = 0; i < n; ++i) {\n"
    "            items.back().push_back(keep(item[i]));\n"
    "            values.back().push_back(std::strtoull(value[i], nullptr, 2));\n        }\n"
    "        enums.push_back({keep(name), n, items.back().data(), values.back().data()});\n"
    "        of[type] = &enums.back();\n    }\n"
    "};\n"
    "struct VerilatedFstC {\n"
    "    VerilatedFst own;\n"
    "    bool isOpen() const { return false; }\n"
    /* $dumpfile, $dumpvars and so on do nothing. */
    "    void open(const char *) {}\n"
    "    void close() {}\n"
    "    void flush() {}\n"
    "    template <typename T> void dump(T) {}\n"
    "    void dumpvars(int, const std::string &) {}\n"
    "    VerilatedFst *spTrace() { return &own; }\n"
    "};\n"
    "#endif\n";

/* What is inside belongs to an instance, whose objects the readers know. */
static const char insides[] =
    "struct twin_insides {\n    const twin_inside *inside;\n    unsigned count, words;\n};\n"
    "SHOWN void *twin_inside_open(void *t, twin_insides *all) {\n"
    "    Vtwin___024root *const root = top(t).rootp;\n"
    "    VerilatedFstC *const c = new VerilatedFstC;\n"
    "    top(t).trace(c, 99);\n"
    "    root->vlSymsp->__Vm_baseCode = 0;\n"
    "    Vtwin___024root__trace_init_top(root, &c->own);\n"
    "    *all = {c->own.insides.data(), static_cast<unsigned>(c->own.insides.size()), c->own.words};\n"
    "    return c;\n"
    "}\n"
    "SHOWN void twin_inside_close(void *c) { delete static_cast<VerilatedFstC *>(c); }\n"
    "SHOWN void twin_inside_look(void *c, uint32_t *words) {\n"
    "    VerilatedFstBuffer buffer{words};\n"
    "    for (const auto &reader : static_cast<VerilatedFstC *>(c)->own.readers)\n"
    "        reader.first(reader.second, &buffer);\n"
    "}\n";

static const char states[] =
    "SHOWN unsigned twin_state_bytes() { return sizeof(Vtwin__Syms); }\n"
    "SHOWN void twin_state_keep(void *t, void *to) {\n"
    "    std::memcpy(to, top(t).rootp->vlSymsp, sizeof(Vtwin__Syms));\n"
    "}\n"
    "SHOWN void twin_state_put(void *t, const void *from) {\n"
    "    std::memcpy(static_cast<void *>(top(t).rootp->vlSymsp), from, sizeof(Vtwin__Syms));\n"
    "}\n";

void verilated_insides_write_header(FILE *out) {
    fputs(header, out);
}

void verilated_insides_write(FILE *out, bool plain) {
    fputs(insides, out);
    if (plain) fputs(states, out);
}

/* --- what is left out --- */

void verilated_insides_begin_left_out(FILE *out) {
    fputs("SHOWN const char twin_left_out[];\nconst char twin_left_out[] = \"\"", out);
}

void verilated_insides_end_left_out(FILE *out) {
    fputs(";\n", out);
}

/* Of all dimensions: VlUnpacked<VlUnpacked<CData, 4>, 512>. */
static unsigned long rows_of(const char *type, const char *end) {
    unsigned long rows = 1;
    while ((type = memchr(type, ',', (size_t)(end - type)))) rows *= strtoul(++type, NULL, 10);
    return rows;
}

/* A member of the top module is called TOP__DOT__instance__DOT__name. */
static void write_name(FILE *out, const char *name, const char *end) {
    static const char dot[] = "__DOT__";
    const size_t length = sizeof dot - 1;
    const char *inside = memmem(name, (size_t)(end - name), dot, length);
    for (name = inside ? inside + length : name; name < end; ++name) {
        if (strncmp(name, dot, length) != 0) {
            fputc(*name, out);
            continue;
        }
        fputc('.', out);
        name += length - 1;
    }
}

/* Verilator's own arrays have names with __V. */
void verilated_insides_write_left_out(FILE *out, const char *text) {
    for (const char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        const char *type = memmem(line, (size_t)(next - line), "VlUnpacked<", strlen("VlUnpacked<"));
        const char *end = type ? memchr(line, ';', (size_t)(next - line)) : NULL, *name = end;
        next += *next == '\n';
        if (!end) continue;
        while (name > type && name[-1] != ' ') --name;
        const unsigned long rows = rows_of(type, name);
        if (rows <= strtoul(VERILATED_INSIDES_ROWS, NULL, 10) || memmem(name, (size_t)(end - name), "__V", 3))
            continue;
        fputs("\n    \", ", out);
        write_name(out, name, end);
        fprintf(out, " (%lu rows)\"", rows);
    }
}
