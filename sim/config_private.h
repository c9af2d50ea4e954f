/*
 * config_private: declarations that config.c (fields and values) and config_file.c (YAML) share. `place`
 * begins every error: "FILE:LINE" or "--set field=value".
 */
#ifndef SIM_CONFIG_PRIVATE_H
#define SIM_CONFIG_PRIVATE_H

#include "sim/config.h"

/* Returns the index of the field called `name`, or t->count if there is none. */
size_t config_find(const struct config_table *t, const char *name);
/* Returns whether names of fields begin with "name.". */
bool config_is_group(const struct config_table *t, const char *name);
/* Fills *e with "unknown field 'name'" and the nearest name, or the possible names. */
bool config_unknown(const struct config_table *t, const char *name, const char *place, struct error *e);
/* Reads a value for a field. `quoted`: the value is a YAML string, so no number and no flag. */
bool config_parse(const struct config_field *f, const char *text, bool quoted, const char *place,
                  uint32_t *value, struct error *e);
/* Writes the values that a field may have: "1 to 64, a power of two", "one of a, b", "true or false". */
void config_print_range(const struct config_field *f, char *out, size_t size);

uint32_t config_get(const struct config_field *f, const void *config);
void config_put(const struct config_field *f, void *config, uint32_t value);

#endif
