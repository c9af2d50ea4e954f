/*
 * config: configuration by table. Each field is one row: name, type, range, default, unit, description,
 * source. The reader, the errors, the description and the effective configuration all come from that table.
 *
 * Files are YAML: nested mappings whose joined keys are the field names (cluster: {lanes: 4} is
 * cluster.lanes); `extends: FILE` (relative to this file) is read first.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "sim/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum config_type { CONFIG_UNSIGNED, CONFIG_CHOICE, CONFIG_FLAG };

struct config_field {
    const char *name; /* "cluster.lanes" */
    enum config_type type;
    size_t offset; /* offset of a uint32_t in the configuration structure (choice: index; flag: 0 or 1) */
    uint32_t minimum, maximum;  /* CONFIG_UNSIGNED */
    bool power_of_two;          /* CONFIG_UNSIGNED */
    uint32_t initial;           /* default */
    const char *const *choices; /* CONFIG_CHOICE: NULL-terminated names */
    /* Returns the meaning of a choice; NULL: `description` has it. */
    const char *(*meaning)(uint32_t choice);
    const char *unit; /* "bytes", "cycles", "" */
    const char *description;
    const char *source; /* origin of the default: paper and section, or a measurement */
    /* Conditions for this field to have an effect; all must hold. NULL: it always has one. Blanks separate
     * conditions:
     *   "FIELD=VALUE,VALUE"  a choice has one of these values
     *   "FIELD>NUMBER"       a number is greater
     *   "A|B"                A or B holds
     * A condition holds only if the field it names has an effect, too. */
    const char *needs;
};

struct config_table {
    const struct config_field *fields;
    size_t count;
    /* Checks relations between fields, which ranges cannot express. Returns false with *e (EXIT_USER),
     * which names the fields. May be NULL. */
    bool (*check)(const void *config, struct error *e);
    size_t bytes; /* size of the structure; its bytes without a field become 0 */
};

void config_defaults(const struct config_table *t, void *config);

/* Reads a YAML file over *config. Returns false with *e "FILE:LINE: …" (EXIT_USER) for an unknown or
 * misspelt field, with the nearest name. The same holds for a value that is out of range, not a power of two,
 * of the wrong type, or given twice in one file. */
bool config_read(const struct config_table *t, void *config, const char *path, struct error *e);

/* Applies one "field=value"; errors as above with "--set field=value: …". */
bool config_set(const struct config_table *t, void *config, const char *assignment, struct error *e);

/* Returns whether the field of an assignment that config_set() has taken has an effect in this
 * configuration. If a needed condition is not met, returns false with *e, which names both (EXIT_USER). The
 * default is accepted anywhere. */
bool config_matters(const struct config_table *t, const void *config, const char *assignment,
                    struct error *e);

/* Returns whether a field has an effect in this configuration: its needs are met. */
bool config_has_effect(const struct config_table *t, const void *config, const char *name);

/* Runs the table's check. */
bool config_check(const struct config_table *t, const void *config, struct error *e);

/* Writes a field's description, with what its choices mean. */
void config_description(const struct config_field *f, char *out, size_t size);

/* Writes an aligned table of every field: name, default, range or choices, unit, needs, description,
 * source. */
void config_describe(const struct config_table *t, FILE *out);

/* Writes the effective configuration as YAML that config_read() accepts. */
void config_write(const struct config_table *t, const void *config, FILE *out);

#endif
