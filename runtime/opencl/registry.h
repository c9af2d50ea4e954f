/*
 * registry: the addresses of all live objects, so that any handle of a program can be judged without
 * reading it. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_REGISTRY_H
#define RUNTIME_OPENCL_REGISTRY_H

#include <stdbool.h>

bool registry_add(const void *object); /* false if memory is out */
void registry_remove(const void *object);
bool registry_has(const void *handle);

#endif
