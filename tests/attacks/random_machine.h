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

/* Makes a configuration in which a few, some or most fields differ from the defaults. Relations between
 * fields may be violated. simt.livelock_cycles stays 0 or large, since it ends sound launches. */
void random_machine(struct seed *s, struct machine_config *c);
/* Makes a configuration that config_check() accepts. */
void random_machine_valid(struct seed *s, struct machine_config *c);

const struct config_field *random_machine_field(struct seed *s);

/* Return the value of a field; the same as text. */
uint32_t random_machine_value(const struct config_field *f, const struct machine_config *c);
void random_machine_text(const struct config_field *f, const struct machine_config *c, char text[32]);

/* Prints " --set field=value" for each field that differs from its default. */
void random_machine_print(const struct machine_config *c, FILE *out);

#endif
