#include "compiler/code/image_link.h"

#include "abi/image_note.h"
#include "abi/memory_map.h"
#include "compiler/code/code_flow.h"
#include "compiler/ir/module.h"
#include "compiler/driver/process.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/twin.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GNU's linker: lld would load LLVM again, which takes four times as long as the whole link. */
#define LINKER "arm-linux-gnueabihf-ld"

/* Static local variables are absolute symbols: kernels overlap, and the section only has the window's
 * size. */
static void linker_script(const struct local_memory *local, struct text *script) {
    text_printf(script,
                "PHDRS { text PT_LOAD FLAGS(5); rodata PT_LOAD FLAGS(4); }\n"
                "SECTIONS {\n"
                "  . = 0x%x;\n"
                /* twins are last, so that SIMT code does not move */
                "  .text : { KEEP(*(.text)) *(.text.*) " CODE_FLOW_END " = .; KEEP(*(" TWIN_SECTION
                ")) } :text\n"
                "  . = ALIGN(0x1000);\n"
                "  .rodata : { *(.rodata .rodata.* .data.rel.ro .data.rel.ro.*) } :rodata\n"
                "  .local 0x%x (NOLOAD) : { . += %u; } :NONE\n"
                "  " IMAGE_NOTE_SECTION " 0 (INFO) : { LONG(0) }\n"
                "  /DISCARD/ : { *(.ARM.exidx* .ARM.extab* .comment) }\n"
                "}\n",
                MEMORY_CODE_BASE, MEMORY_LOCAL_BASE, local->bytes);
    for (size_t i = 0; i < local->count; i++)
        text_printf(script, "\"%s\" = 0x%x;\n", local->variables[i].symbol,
                    MEMORY_LOCAL_BASE + local->variables[i].offset);
}

static void arguments_add_memory_file(struct arguments *a, const char *option, const struct text *content) {
    char path[64];
    snprintf(path, sizeof path, "%s/proc/self/fd/%d", option, memory_file(content));
    arguments_add(a, path);
}

static void arguments_add_path(struct arguments *a, const char *directory, const char *name) {
    struct text path = {0};
    text_printf(&path, "%s/%s", directory, name);
    arguments_add(a, path.data);
    text_free(&path);
}

void image_link(const struct text *simt, const struct text *mimd, const char *library_directory,
                const char *startup, const struct local_memory *local, struct text *image) {
    struct arguments a = {0};
    struct text script = {0}, errors = {0};
    struct process p;
    /* The twin's code needs members of builtins.a that the program does not: the archive is searched
     * again. */
    arguments_add_words(&a, LINKER " -m armelf_linux_eabi -static --gc-sections --build-id=none "
                                   "-z max-page-size=4096 -e " MODULE_STARTUP " -u " MODULE_STARTUP "_mimd "
                                   "-o /proc/self/fd/1");
    linker_script(local, &script);
    arguments_add_memory_file(&a, "--script=", &script);
    if (simt->size) arguments_add_memory_file(&a, "", simt);
    arguments_add(&a, startup);
    arguments_add_path(&a, library_directory, "builtins.a");
    if (mimd->size) {
        arguments_add_memory_file(&a, "", mimd);
        arguments_add_path(&a, library_directory, "builtins.a");
    }
    process_start(&p, &a, NULL);
    int status = process_finish(&p, image, &errors);
    if (status != 0) refuse("error: the program cannot be linked:\n%s", text_string(&errors));
    text_free(&script);
    text_free(&errors);
}

void image_add_note(struct text *image, const struct text *note) {
    while (image->size % sizeof(Elf32_Word)) text_append(image, "", 1);
    const size_t at = image->size;
    text_append(image, note->data, note->size);
    const Elf32_Ehdr *header = (const Elf32_Ehdr *)(const void *)image->data;
    Elf32_Shdr *sections = (Elf32_Shdr *)(void *)(image->data + header->e_shoff);
    const char *names = image->data + sections[header->e_shstrndx].sh_offset;
    for (size_t i = 0; i < header->e_shnum; i++) {
        Elf32_Shdr *s = &sections[i];
        if (strcmp(names + s->sh_name, IMAGE_NOTE_SECTION)) continue;
        s->sh_type = SHT_NOTE;
        s->sh_offset = (Elf32_Off)at;
        s->sh_size = (Elf32_Word)note->size;
        s->sh_addralign = sizeof(Elf32_Word);
    }
}
