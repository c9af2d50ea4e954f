/*
 * config_folder: the folder of configurations that a process brings along.
 */
#ifndef SIM_CONFIG_FOLDER_H
#define SIM_CONFIG_FOLDER_H

/* A configuration that is named without a folder (by config_read(), or by `extends`) and is not where that
 * says, with or without .yaml, is looked for in this one. `folder` must outlive all reading; NULL: none. */
void config_folder_own(const char *folder);

#endif
