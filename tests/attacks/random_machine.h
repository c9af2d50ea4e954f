/*
 * random_machine: random configurations of the machine, from the table of its fields: at the ends of their
 * ranges, at their defaults, anywhere between.
 */
#ifndef TESTS_ATTACKS_RANDOM_MACHINE_H
#define TESTS_ATTACKS_RANDOM_MACHINE_H

#include "model/config/machine_config.h"
#include "tests/seed.h"

#include <stdbool.h>
#include <stdio.h>

/* A configuration in which a few, some or most fields differ from the defaults; it may break relations
 * between fields. simt.livelock_cycles, which ends launches that are sound, stays 0 or large. */
void random_machine(struct seed *s, struct machine_config *c);
/* One that config_check() accepts. */
void random_machine_valid(struct seed *s, struct machine_config *c);

const struct config_field *random_machine_field(struct seed *s);

/* The value of a field, and as text. */
uint32_t random_machine_value(const struct config_field *f, const struct machine_config *c);
void random_machine_text(const struct config_field *f, const struct machine_config *c, char text[32]);

/* " --set field=value" for each field that is not its default. */
void random_machine_print(const struct machine_config *c, FILE *out);

#endif
