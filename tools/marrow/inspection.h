/* What `marrow inspect` tells about a file: counted once here, printed as text or JSON. */
#ifndef MARROW_TOOL_INSPECTION_H
#define MARROW_TOOL_INSPECTION_H

#include "input.h"

/* Why a joint is in the skeleton; a joint with no mark is an ancestor or stands between two others.
 */
enum {
    JOINT_OF_SKIN = 1,  /* vertices are bound to it */
    JOINT_ANIMATED = 2, /* a clip moves it, or the morph weights of its mesh */
    JOINT_WITH_MESH = 4
};

typedef struct clip_facts {
    uint32_t track_counts[4];         /* by mrw_track_kind */
    uint32_t interpolation_counts[3]; /* tracks by mrw_interpolation */
    uint64_t key_count;               /* a sample of a packed track counts as one */
    uint32_t packed_track_count;      /* of the tracks */
    uint32_t constant_count;          /* of the tracks: said without one */
} clip_facts;

/* Numbers of influences that are told apart: 0 to 64; the last entry counts 64 and more. */
#define INFLUENCE_COUNTS 65

typedef struct mesh_facts {
    uint32_t triangle_count;
    uint32_t instance_count;
    uint32_t largest_influence_count;
    uint32_t influence_counts[INFLUENCE_COUNTS]; /* vertices by how many joints move them */
} mesh_facts;

typedef struct inspection {
    const cli_input *input;
    uint64_t file_bytes;      /* 0: not known, as for a pipe */
    uint8_t *joint_marks;     /* [joint_count] */
    int32_t *joint_instances; /* [joint_count] the mesh instance at the joint, or -1 */
    clip_facts *clips;        /* [clip_count] */
    mesh_facts *meshes;       /* [mesh_count] */
} inspection;

/* Returns false if memory ran out; nothing needs to be freed then. */
bool cli_inspection_make(const cli_input *input, inspection *out_inspection);
void cli_inspection_free(inspection *facts);

/* The name of the joint's node as the file has it; it may be "" or shared by others. In a file
 * without a scene, a .mrw, it is that of the joint. */
const char *cli_source_name(const cli_input *input, uint32_t joint);

const char *cli_interpolation_name(uint32_t interpolation);
const char *cli_track_kind_name(uint32_t kind);

/* Both print to stdout. all_joints: the whole tree, however long. Text returns false if memory ran
 * out. */
void cli_inspection_print_json(const inspection *facts);
bool cli_inspection_print_text(const inspection *facts, bool all_joints);

/* The skeleton alone, as a tree. */
bool cli_inspection_print_tree(const inspection *facts, bool all_joints);

#endif
