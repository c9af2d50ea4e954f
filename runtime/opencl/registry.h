/*
 * registry: the addresses of all live objects, so that any handle a program passes can be judged without
 * being looked at. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_REGISTRY_H
#define RUNTIME_OPENCL_REGISTRY_H

#include <stdbool.h>

bool registry_add(const void *object); /* false if memory is out */
void registry_remove(const void *object);
bool registry_has(const void *handle);

#endif
