/*
 * config_folder: the folder of configurations that belongs to a process.
 */
#ifndef SIM_CONFIG_FOLDER_H
#define SIM_CONFIG_FOLDER_H

/* Sets the folder in which configurations are looked up that are named without a folder, by config_read()
 * or by `extends`, and are not found otherwise, with or without .yaml. `folder` must outlive all reading;
 * NULL: none. */
void config_folder_own(const char *folder);

#endif
