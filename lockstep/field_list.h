/*
 * field_list: some fields of a configuration, described for people and for programs.
 */
#ifndef LOCKSTEP_FIELD_LIST_H
#define LOCKSTEP_FIELD_LIST_H

#include "sim/config.h"

#include <jansson.h>

/* The fields of `all` with these names, a group's name for all of its fields, in the order of `all`; without
 * names all fields. *chosen is to be freed (its fields). False and *e (EXIT_USER) if one is unknown. */
bool field_list_choose(const struct config_table *all, char *const names[], struct config_table *chosen,
                       struct error *e);

/* For a terminal of so many columns: name, default, unit and range, and below them description, needs and
 * source, wrapped. */
void field_list_print(const struct config_table *t, unsigned columns, FILE *out);

/* [{"field": …, "type": …, "default": …, "minimum": … or "choices": …, …}]; json_decref() it. */
json_t *field_list_document(const struct config_table *t);

/* {"FIELD": value}: of a configuration; json_decref() it. */
json_t *field_list_values(const struct config_table *t, const void *config);

#endif
