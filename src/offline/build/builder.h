/* What the parts of mrw_build_character share while it runs. */
#ifndef MRWI_OFFLINE_BUILDER_H
#define MRWI_OFFLINE_BUILDER_H

#include <marrow/offline/build.h>

#include "offline/memory/arena.h"

/* What a character owns. Its assets are blocks of their own, everything else lies in the arena. */
struct mrwi_character_owner {
    mrwi_arena arena;
    mrw_bytes skeleton;
    mrw_bytes *clips; /* [clip_count], NULL where the assets lie in the arena */
    mrw_bytes *skins; /* [skin_count], likewise */
};

/* An empty character in an arena of its own. */
mrw_status mrwi_create_character(const mrw_memory_options *memory, mrw_character **out_character,
                                 mrw_error *out_error);

typedef struct mrwi_builder {
    const mrw_scene *scene;
    mrw_character *character; /* being filled: its counts grow as its parts are built */
    mrwi_arena *arena;        /* the character's */
    mrwi_arena *scratch;      /* of the whole call */
    uint32_t max_influences;
    bool group_vertices;
    mrw_mesh_instance *instances; /* the character's, while they are written */
    int32_t *node_instances;      /* [node_count] instance at each node, or -1 */
    mrw_diagnostic *diagnostics;  /* likewise */
    uint32_t diagnostic_capacity;
    mrw_error *out_error;
} mrwi_builder;

/* Every step returns its status and has filled the error; this passes a failure on. */
#define MRWI_TRY(expression)                                                                       \
    do {                                                                                           \
        mrw_status try_status = (expression);                                                      \
        if (try_status != MRW_OK)                                                                  \
            return try_status;                                                                     \
    } while (0)

/* The limits of the call, less what it holds already: for the builders of single assets. */
mrw_memory_options mrwi_builder_memory(const mrwi_builder *builder);

/* Counts a finished asset against the limits. */
void mrwi_builder_hold(mrwi_builder *builder, const mrw_bytes *bytes);

/* Frees an asset that was counted. */
void mrwi_builder_release(mrwi_builder *builder, mrw_bytes *bytes);

/* Adds a diagnostic to the character, unless the scene has one with this code already: then the
 * importer has told the user. */
mrw_status mrwi_builder_note(mrwi_builder *builder, mrw_severity severity, const char *code,
                             const char *where, const char *message);

/* The steps, in their order; each needs those before it. */
mrw_status
mrwi_build_instances(mrwi_builder *builder);         /* which nodes carry meshes; their scalars */
mrw_status mrwi_build_joints(mrwi_builder *builder); /* the skeleton */
mrw_status mrwi_build_meshes(mrwi_builder *builder);
mrw_status mrwi_build_skins(mrwi_builder *builder); /* and what each instance's palette is */
mrw_status mrwi_build_clips(mrwi_builder *builder);

/* Of mrwi_build_meshes: the morph targets of one mesh, when its parts, its attributes and the order
 * of its vertices are known. */
mrw_status mrwi_build_mesh_targets(mrwi_builder *builder, const mrw_scene_mesh *source,
                                   mrw_mesh *mesh);

#endif
