/*
 * coherence_document: the coherence protocols as a text in Markdown, made from their tables:
 * docs/coherence.md.
 */
#ifndef MODEL_MEMORY_COHERENCE_DOCUMENT_H
#define MODEL_MEMORY_COHERENCE_DOCUMENT_H

#include <stdio.h>

void coherence_document(FILE *out);

#endif
