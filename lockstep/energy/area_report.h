/*
 * area_report: the output of `lockstep area`: tables, a document, a treemap.
 */
#ifndef LOCKSTEP_AREA_REPORT_H
#define LOCKSTEP_AREA_REPORT_H

#include "synthesis/area.h"

#include <jansson.h>
#include <stdio.h>

#define AREA_SCHEMA_VERSION 1

void area_print(const struct area *a, const struct machine_config *c, FILE *out);
json_t *area_document(const struct area *a, const struct machine_config *c);
void area_treemap(const struct area *a, FILE *out);

#endif
