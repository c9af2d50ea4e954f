/*
 * own_fields: the own parameters of the fillings of slots, such as harp.first_level. A filling has them in
 * NAME.fields beside its NAME.c, a row each:
 *
 *   OWN_NUMBER(member, least, most, default, "unit", "description", "source")
 *   OWN_POWER(...)  the same, of powers of two
 *   OWN_FLAG(member, default, "description", "source")
 *
 * A row is a member of own_fields(config)->FILLING and the field FILLING.member of the configuration, which
 * has an effect if the machine has that filling. Few files include this, since a new row changes it.
 */
#ifndef MODEL_CONFIG_OWN_FIELDS_H
#define MODEL_CONFIG_OWN_FIELDS_H

#include "model/config/machine_config.h"

#define OWN_BEGIN struct {
#define OWN_END                                                                                              \
    }                                                                                                        \
    FILLING;
#define OWN_NUMBER(member, ...) uint32_t member;
#define OWN_POWER(member, ...)  uint32_t member;
#define OWN_FLAG(member, ...)   uint32_t member;
struct own_fields {
#include "generated/own_fields.h"
};
#undef OWN_BEGIN
#undef OWN_END
#undef OWN_NUMBER
#undef OWN_POWER
#undef OWN_FLAG

_Static_assert(sizeof(struct own_fields) <= sizeof((struct machine_config *)0)->own,
               "MACHINE_OWN_FIELDS is too small for the rows of *.fields");

static inline const struct own_fields *own_fields(const struct machine_config *c) {
    return (const struct own_fields *)c->own;
}

#endif
