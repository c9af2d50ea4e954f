/* sizes: the sizes at which blocks are tested against their Verilog (rtl/sizes): values of parameters. */
#ifndef TB_STIMULUS_SIZES_H
#define TB_STIMULUS_SIZES_H

#include "tb/ports/verilog_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rtl_size {
    char text[1024]; /* "WARPS=16 WARP_SIZE=32 …" */
    char names[1024];
    unsigned count;
    struct verilog_setting setting[VERILOG_MAX_PARAMETERS];
};

/* Reads a text such as NAME=VALUE NAME=VALUE. Returns false for other text. */
static inline bool rtl_size_read(struct rtl_size *s, const char *text) {
    *s = (struct rtl_size){.count = 0};
    if (strlen(text) >= sizeof s->text) return false;
    strcpy(s->text, text);
    s->text[strcspn(text, "\n")] = '\0';
    strcpy(s->names, s->text);
    for (char *word = strtok(s->names, " "); word; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (!equals || s->count == VERILOG_MAX_PARAMETERS) return false;
        *equals = '\0';
        s->setting[s->count++] = (struct verilog_setting){word, (unsigned)strtoul(equals + 1, NULL, 10)};
    }
    return s->count > 0;
}

/* Reads the sizes of a file. Returns their number; 0 if the file cannot be read or has more than `most`. */
static inline unsigned rtl_sizes_read(struct rtl_size *s, unsigned most, const char *path) {
    char line[sizeof s->text];
    unsigned count = 0;
    FILE *in = fopen(path, "r");
    if (!in) return 0;
    while (fgets(line, sizeof line, in)) {
        if (*line == '#' || *line == '\n') continue;
        if (count == most || !rtl_size_read(&s[count++], line)) {
            count = 0;
            break;
        }
    }
    fclose(in);
    return count;
}

/* Reads the first size, that of the base machine. Returns false if the file cannot be read. */
static inline bool rtl_sizes_first(struct rtl_size *s, const char *path) {
    char line[sizeof s->text];
    FILE *in = fopen(path, "r");
    bool good = false;
    while (in && !good && fgets(line, sizeof line, in)) good = *line != '#' && rtl_size_read(s, line);
    if (in) fclose(in);
    return good;
}

/* Applies values for this block alone (BLOCK.NAME=VALUE) in place of those for all blocks. */
static inline void rtl_size_for(struct rtl_size *s, const char *block) {
    const size_t length = strlen(block);
    for (unsigned n = 0; n < s->count; ++n) {
        const char *name = s->setting[n].name;
        if (strncmp(name, block, length) != 0 || name[length] != '.') continue;
        for (unsigned k = 0; k < s->count; ++k)
            if (strcmp(s->setting[k].name, name + length + 1) == 0) s->setting[k].value = s->setting[n].value;
    }
}

/* Returns the value of a parameter; 0 if the size does not contain it. */
static inline unsigned rtl_size_of(const struct rtl_size *s, const char *name) {
    for (unsigned n = 0; n < s->count; ++n)
        if (strcmp(s->setting[n].name, name) == 0) return s->setting[n].value;
    return 0;
}

#endif
