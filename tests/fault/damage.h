/* Running bytes through everything: import, character, one frame. */
#ifndef TESTS_FAULT_DAMAGE_H
#define TESTS_FAULT_DAMAGE_H

#include <marrow/offline/build.h>
#include <marrow/offline/import.h>

/* Poses every clip (and the rest pose) of a character at a few times and skins all of its meshes by
 * both methods. Returns false if something that was built cannot be run. */
bool run_character(const mrw_character *character);

/* Imports the bytes, and if that works builds the character and runs it. `memory` or NULL counts
 * for the import and for the building. Returns the status of the first step that fails. A file that
 * a document names is not found. */
mrw_status run_file(const void *bytes, size_t size_bytes, const mrw_memory_options *memory,
                    mrw_error *out_error);

/* Opens the bytes of an asset; if that works, runs the character with it in the place of its own.
 * The character has a clip and a skin. Returns the status of opening: what opens may still not fit
 * the other assets, and then the jobs refuse it, or mrw_open_character where it is a mesh. */
mrw_status run_asset(const mrw_character *character, const void *bytes, size_t size_bytes,
                     mrw_asset_kind kind, mrw_error *out_error);

#endif
