#include "lockstep/output/stage_view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- preprocessed source: the file's own lines, with their numbers --- */

/* Parses `# 12 "file.cl" 2`: file and number of the next line. */
static bool read_marker(const char *line, const struct source_lines *source, size_t *number, bool *shown) {
    char *end;
    if (strncmp(line, "# ", 2) != 0 || !isdigit((unsigned char)line[2])) return false;
    *number = strtoul(line + 2, &end, 10);
    size_t size = strlen(source->path);
    *shown = !strncmp(end, " \"", 2) && !strncmp(end + 2, source->path, size) && end[2 + size] == '"';
    return true;
}

static void print_priority(char *text, const struct source_lines *source, FILE *out) {
    size_t number = 1, printed = 0;
    bool shown = false;
    for (char *line; (line = strsep(&text, "\n"));) {
        if (read_marker(line, source, &number, &shown)) continue;
        if (shown && *line && number > printed) {
            fprintf(out, "%5zu  %s\n", number, line);
            printed = number;
        }
        number++;
    }
}

/* --- LLVM IR --- */

/* Cuts annotations after an instruction: ", !dbg !12, !tbaa !34", "#5". */
static void cut_metadata(char *line) {
    char *end = strstr(line, ", !");
    if (end) *end = '\0';
    for (end = line + strlen(line); end > line && isdigit((unsigned char)end[-1]);) end--;
    if (end > line + 1 && end[-1] == '#' && end[-2] == ' ') end[-2] = '\0';
}

/* Cuts the attributes of "define void @f() #0 !dbg !12 {". */
static void cut_attributes(char *line) {
    char *end = strrchr(line, ')');
    end = end ? strstr(end, " #") : NULL;
    if (!end) end = strstr(line, " !dbg ");
    if (end && strchr(end, '{')) strcpy(end, " {");
}

static bool print_position(const char *line, const struct source_lines *source, FILE *out) {
    static const char mark[] = "  ; ";
    const char *colon = strrchr(line, ':');
    if (strncmp(line, mark, strlen(mark)) != 0 || !colon) return false;
    char file[4096];
    snprintf(file, sizeof file, "%.*s", (int)(colon - line) - (int)strlen(mark), line + strlen(mark));
    source_lines_print(source, mark, file, strtoul(colon + 1, NULL, 10), out);
    return true;
}

static bool is_for_tools(const char *line) {
    static const char *const starts[] = {"!",          "attributes ",      "source_filename",       "target ",
                                         "; ModuleID", "; Function Attrs", "declare void @llvm.dbg"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(line, starts[i], strlen(starts[i]))) return true;
    return strstr(line, "@llvm.dbg.") != NULL;
}

static void print_ir(char *text, const struct source_lines *source, FILE *out) {
    bool blank = true; /* the previous line was blank, or there was none */
    for (char *line; (line = strsep(&text, "\n"));) {
        if (print_position(line, source, out) || is_for_tools(line) || (blank && !*line)) continue;
        if (*line == ' ' || *line == '@') cut_metadata(line);
        if (!strncmp(line, "define ", 7)) cut_attributes(line);
        blank = !*line;
        fprintf(out, "%s\n", line);
    }
}

/* --- assembler text --- */

struct assembler_view {
    const struct source_lines *source;
    FILE *out;
    char **files; /* files by their numbers in .file directives */
    size_t file_count;
    bool code;                   /* the current section has instructions or constants */
    size_t file, line;           /* position of the next instruction */
    size_t last_file, last_line; /* position printed last */
};

static void add_file(struct assembler_view *v, const char *directive) {
    char *name;
    size_t number = strtoul(directive, &name, 10);
    name += strspn(name, " \t");
    if (!number || number > 4096 || *name != '"') return;
    if (number >= v->file_count) {
        v->files = realloc(v->files, (number + 1) * sizeof *v->files);
        require_memory(v->files);
        while (v->file_count <= number) v->files[v->file_count++] = NULL;
    }
    free(v->files[number]);
    char *last = strrchr(name, '"'); /* the last string is the file's name; a directory may precede it */
    *last = '\0';
    v->files[number] = strdup(strrchr(name, '"') + 1);
    require_memory(v->files[number]);
}

/* Prints the position before the first instruction of a source line. */
static void print_location(struct assembler_view *v) {
    if (!v->line || (v->file == v->last_file && v->line == v->last_line)) return;
    if (v->file < v->file_count && v->files[v->file])
        source_lines_print(v->source, "    @ ", v->files[v->file], v->line, v->out);
    v->last_file = v->file;
    v->last_line = v->line;
}

static void print_assembler_line(struct assembler_view *v, char *line) {
    static const char *const data[] = {".long", ".short", ".byte", ".inst", ".zero", ".ascii", ".p2align"};
    char *word = line + strspn(line, " \t");
    if (!strncmp(word, ".section", 8))
        v->code = strstr(word, ".text") != NULL || strstr(word, ".rodata") != NULL;
    if (!strncmp(word, ".text", 5)) v->code = true;
    if (!strncmp(word, ".file", 5)) add_file(v, word + 5 + strspn(word + 5, " \t"));
    if (!v->code || *word == '@') return;
    if (!strncmp(word, ".loc", 4) && isspace((unsigned char)word[4])) {
        v->file = strtoul(word + 5, &word, 10);
        v->line = strtoul(word, NULL, 10);
        return;
    }
    bool kept = word == line ? *word && strncmp(word, ".Ltmp", 5) && strncmp(word, ".Lfunc", 6)
                             : *word && *word != '.';
    for (size_t i = 0; i < sizeof data / sizeof *data && !kept; i++)
        kept = word != line && !strncmp(word, data[i], strlen(data[i]));
    if (kept && *word != '.' && word != line) print_location(v);
    if (kept) fprintf(v->out, "%s\n", line);
}

static void print_assembler(char *text, const struct source_lines *source, FILE *out) {
    struct assembler_view v = {.source = source, .out = out};
    for (char *line; (line = strsep(&text, "\n"));) print_assembler_line(&v, line);
    for (size_t i = 0; i < v.file_count; i++) free(v.files[i]);
    free(v.files);
}

/* --- instructions with their classes --- */

static void print_scalar(char *text, const struct source_lines *source, FILE *out) {
    for (char *line; (line = strsep(&text, "\n"));)
        if (!print_position(line, source, out)) fprintf(out, "%s\n", line);
}

void stage_view_print(enum stage stage, char *text, const struct source_lines *source, FILE *out) {
    switch (stage) {
    case STAGE_MEETINGS:
    case STAGE_SCALAR_KERNEL:
    case STAGE_TABLE: fputs(text, out); break;
    case STAGE_PRIORITY: print_priority(text, source, out); break;
    case STAGE_COALESCED:
    case STAGE_IR: print_ir(text, source, out); break;
    case STAGE_SCALAR: print_scalar(text, source, out); break;
    case STAGE_ASM: print_assembler(text, source, out); break;
    }
}
