/* What the parts of mrw_open_character share while it runs. */
#ifndef MRWI_OFFLINE_CHARACTER_OPENER_H
#define MRWI_OFFLINE_CHARACTER_OPENER_H

#include <marrow/asset_file.h>

#include "offline/build/builder.h"

typedef struct mrwi_character_opener {
    mrw_character *character;
    mrwi_arena *arena;       /* the character's */
    mrw_file file;           /* in it */
    uint32_t max_influences; /* of a vertex: the heaviest are kept; 0: all */
    mrw_error *out_error;
} mrwi_character_opener;

/* Puts the asset in front of what its _open function says: "clips[3]: header.checksum". Returns
 * `status`. */
mrw_status mrwi_opener_name_asset(mrwi_character_opener *opener, mrw_status status,
                                  const char *list, uint32_t index, const void *asset);

/* That the asset says to be of the character's skeleton, and of one of so many joints and scalars:
 * the id is only what its bytes claim, the counts keep its numbers inside a pose. */
mrw_status mrwi_opener_check_skeleton(mrwi_character_opener *opener, const mrw_asset_header *header,
                                      uint32_t joint_count, uint32_t scalar_count, const char *list,
                                      uint32_t index);

/* Leaves a mesh the influences that the opener allows. */
mrw_status mrwi_opener_prune(mrwi_character_opener *opener, mrw_mesh *mesh);

/* Meshes and instances, and that the materials fit; after the skins. */
mrw_status mrwi_open_meshes(mrwi_character_opener *opener);

/* mrw_open_character for a program that cannot take more than so many influences a vertex; 0: all.
 */
mrw_status mrwi_open_character(const void *file_bytes, size_t size_bytes,
                               const mrw_memory_options *memory, uint32_t max_influences,
                               mrw_character **out_character, mrw_error *out_error);

#endif
