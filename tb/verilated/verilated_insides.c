#include "tb/verilated/verilated_insides.h"

#include <stdlib.h>
#include <string.h>

const char *const verilated_insides_arguments[] = {
    "--trace", "--trace-structs", "--trace-max-array", VERILATED_INSIDES_ROWS, "--trace-max-width", "262144",
    NULL};

/* A design's $dumpvars must not open a file, which the user of the run has not requested. */
const char verilated_insides_support[] = "#include <fcntl.h>\n#include \"verilated_vcd_c.h\"\n"
                                         "#undef O_WRONLY\n#define O_WRONLY O_DIRECTORY\n"
                                         "#include \"verilated_vcd_c.cpp\"\n"
                                         "#undef O_WRONLY\n#define O_WRONLY 1\n"
                                         "#include \"verilated_save.cpp\"\n";

static const char reader[] =
    "#include \"verilated_vcd_c.h\"\n"
    "struct twin_file : VerilatedVcdFile {\n"
    "    std::string text;\n"
    "    bool open(const std::string &) override { return true; }\n"
    "    void close() override {}\n"
    "    ssize_t write(const char *from, ssize_t size) override { text.append(from, size); return size; }\n"
    "};\n"
    "struct twin_reader {\n"
    "    twin_file file;\n"
    "    VerilatedVcdC vcd{&file};\n"
    "    uint64_t at = 0;\n"
    "};\n"
    "SHOWN void *twin_inside_open(void *t) {\n"
    "    twin_reader *const r = new twin_reader;\n"
    "    top(t).trace(&r->vcd, 99);\n"
    "    r->vcd.open(\"twin\");\n"
    "    return r;\n"
    "}\n"
    "SHOWN void twin_inside_close(void *r) { delete static_cast<twin_reader *>(r); }\n"
    "SHOWN const char *twin_inside_look(void *reader) {\n"
    "    twin_reader *const r = static_cast<twin_reader *>(reader);\n"
    "    if (r->at) r->file.text.clear();\n" /* the first text begins with the declarations */
    "    r->vcd.dump(++r->at);\n"
    "    r->vcd.flush();\n"
    "    return r->file.text.c_str();\n"
    "}\n";

static const char states[] =
    "#include \"verilated_save.h\"\n"
    "struct twin_saver : VerilatedSerialize {\n"
    "    char *to = nullptr;\n"
    "    unsigned bytes = 0;\n"
    "    void flush() override {\n"
    "        const unsigned size = static_cast<unsigned>(m_cp - m_bufp);\n"
    "        if (to) std::memcpy(to + bytes, m_bufp, size);\n"
    "        bytes += size;\n"
    "        m_cp = m_bufp;\n"
    "    }\n"
    "    unsigned save(void *t, char *where) {\n"
    "        to = where;\n"
    "        bytes = 0;\n"
    "        *this << top(t);\n"
    "        flush();\n"
    "        return bytes;\n"
    "    }\n"
    "};\n"
    "struct twin_restorer : VerilatedDeserialize {\n"
    "    const char *from;\n"
    "    size_t left;\n"
    "    twin_restorer(const char *where, size_t size) : from(where), left(size) { m_endp = m_cp; }\n"
    "    void fill() override {\n"
    "        const size_t have = m_endp - m_cp, room = bufferSize() - have, size = left < room ? left : "
    "room;\n"
    "        std::memmove(m_bufp, m_cp, have);\n"
    "        std::memcpy(m_bufp + have, from, size);\n"
    "        m_cp = m_bufp;\n"
    "        m_endp = m_bufp + have + size;\n"
    "        from += size;\n"
    "        left -= size;\n"
    "    }\n"
    "};\n"
    "static twin_saver &twin_saves() { static twin_saver saver; return saver; }\n"
    "SHOWN unsigned twin_state_bytes(void *t) { return twin_saves().save(t, nullptr); }\n"
    "SHOWN void twin_state_keep(void *t, void *to) { twin_saves().save(t, static_cast<char *>(to)); }\n"
    "SHOWN void twin_state_put(void *t, const void *from, unsigned size) {\n"
    "    twin_restorer r{static_cast<const char *>(from), size};\n"
    "    r >> top(t);\n"
    "}\n";

/* --- contents of the design's dump --- */

static void write_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

struct writer {
    const struct verilog_tree *tree;
    FILE *out;
};

static void write_type(void *context, const char *path, const struct verilog_entry *v,
                       const struct verilog_type *type, const struct verilog_type *enumeration) {
    const struct writer *w = context;
    (void)type;
    if (!v->parameter && !enumeration) return;
    fprintf(w->out, "    {");
    write_text(w->out, path);
    if (v->parameter)
        fprintf(w->out, ", nullptr},\n");
    else
        fprintf(w->out, ", &twin_enum_%u},\n", (unsigned)(enumeration - w->tree->type));
}

static void write_enum(FILE *out, const struct verilog_tree *t, unsigned n) {
    const struct verilog_type *type = &t->type[n];
    if (type->kind != VERILOG_ENUM || !type->parts) return;
    fprintf(out, "static const char *const twin_items_%u[] = {", n);
    for (unsigned i = 0; i < type->parts; ++i) {
        write_text(out, t->part[type->first + i].name);
        fputs(", ", out);
    }
    fprintf(out, "};\nstatic const uint64_t twin_values_%u[] = {", n);
    for (unsigned i = 0; i < type->parts; ++i)
        fprintf(out, "%lluu, ", (unsigned long long)t->part[type->first + i].value);
    fprintf(out, "};\nstatic const twin_enum twin_enum_%u = {", n);
    write_text(out, type->name);
    fprintf(out, ", %u, twin_items_%u, twin_values_%u};\n", type->parts, n, n);
}

/* Returns the product of an array's unpacked dimensions; 1 if it is no array. */
static unsigned long rows_of(const struct verilog_tree *t, const struct verilog_type *type) {
    unsigned long rows = 1;
    for (; type && (type->kind == VERILOG_UNPACKED || type->kind == VERILOG_PACKED);
         type = verilog_tree_type(t, type->of))
        if (type->kind == VERILOG_UNPACKED) rows *= type->bits;
    return rows;
}

static void write_left_out(void *context, const char *path, const struct verilog_entry *v,
                           const struct verilog_type *type, const struct verilog_type *enumeration) {
    const struct writer *w = context;
    (void)enumeration;
    const unsigned long rows = rows_of(w->tree, type);
    if (v->parameter || rows <= strtoul(VERILATED_INSIDES_ROWS, NULL, 10)) return;
    fprintf(w->out, "\n    \", \" ");
    char *name = strdup(path);
    require_memory(name);
    for (char *blank; (blank = strchr(name, ' '));) *blank = '.';
    write_text(w->out, name);
    fprintf(w->out, " \" (%lu rows)\"", rows);
    free(name);
}

void verilated_insides_write(FILE *out, const struct verilog_tree *tree, bool has_states) {
    struct writer w = {tree, out};
    fputs(reader, out);
    if (has_states) fputs(states, out);
    fputs("struct twin_enum {\n    const char *name;\n    unsigned count;\n    const char *const *item;\n"
          "    const uint64_t *value;\n};\n"
          "struct twin_type {\n    const char *path;\n    const twin_enum *type;\n};\n",
          out);
    for (unsigned n = 0; n < tree->types; ++n) write_enum(out, tree, n);
    fputs("SHOWN const twin_type twin_inside_types[];\nconst twin_type twin_inside_types[] = {\n", out);
    verilog_tree_walk(tree, write_type, &w);
    fputs("    {nullptr, nullptr}\n};\n"
          "SHOWN const char twin_left_out[];\nconst char twin_left_out[] = \"\"",
          out);
    verilog_tree_walk(tree, write_left_out, &w);
    fputs(";\n", out);
}
