/*
 * field_list: fields of a configuration, described for people and for programs.
 */
#ifndef LOCKSTEP_FIELD_LIST_H
#define LOCKSTEP_FIELD_LIST_H

#include "sim/config.h"

#include <jansson.h>

/* Selects the fields of `all` with these names, in the order of `all`; the name of a group selects all of its
 * fields, no names select all. *chosen is to be freed (its fields). Returns false with *e (EXIT_USER) if a
 * name is unknown. */
bool field_list_choose(const struct config_table *all, char *const names[], struct config_table *chosen,
                       struct error *e);

/* Prints for a terminal of `columns` columns: name, default, unit and range, and below them description,
 * needs and source, wrapped. */
void field_list_print(const struct config_table *t, unsigned columns, FILE *out);

/* Returns [{"field": …, "type": …, "default": …, "minimum": … or "choices": …, …}]; json_decref() it. */
json_t *field_list_document(const struct config_table *t);

/* Returns {"FIELD": value} for a configuration; json_decref() it. */
json_t *field_list_values(const struct config_table *t, const void *config);

#endif
