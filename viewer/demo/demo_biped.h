/* The humanoid that `marrow demo` writes: its joints, its body and its motions.
 *
 *     demo_biped.c          joints, materials, the scene
 *     demo_biped_body.c     torso, limbs, boots, hands
 *     demo_biped_head.c     helmet, visor, eyes, antenna
 *     demo_biped_pose.c     a dozen controls to local rotations; legs by two-bone IK
 *     demo_biped_feet.c     where a foot is at each phase of a step
 *     demo_biped_motion.c   idle, walk and run as controls over time
 *
 * It faces +Z, its left is +X, and it stands on y = 0. In the rest pose, an A-pose, every joint's
 * rotation is the identity, so a local rotation can be read in the scene's axes.
 */
#ifndef VIEW_DEMO_BIPED_H
#define VIEW_DEMO_BIPED_H

#include "demo_shape.h"

#include <marrow/offline/scene.h>

typedef enum biped_joint {
    BIPED_HIPS,
    BIPED_SPINE,
    BIPED_CHEST,
    BIPED_NECK,
    BIPED_HEAD,
    BIPED_ANTENNA,
    BIPED_ANTENNA_TIP,
    BIPED_LEFT_SHOULDER,
    BIPED_LEFT_UPPER_ARM,
    BIPED_LEFT_FOREARM,
    BIPED_LEFT_HAND,
    BIPED_LEFT_FINGERS,
    BIPED_LEFT_THUMB,
    BIPED_RIGHT_SHOULDER,
    BIPED_RIGHT_UPPER_ARM,
    BIPED_RIGHT_FOREARM,
    BIPED_RIGHT_HAND,
    BIPED_RIGHT_FINGERS,
    BIPED_RIGHT_THUMB,
    BIPED_LEFT_THIGH,
    BIPED_LEFT_SHIN,
    BIPED_LEFT_FOOT,
    BIPED_LEFT_TOES,
    BIPED_RIGHT_THIGH,
    BIPED_RIGHT_SHIN,
    BIPED_RIGHT_FOOT,
    BIPED_RIGHT_TOES,
    BIPED_JOINT_COUNT
} biped_joint;

typedef enum biped_material {
    BIPED_SUIT,
    BIPED_JOINTS, /* the dark stretch of elbows and knees */
    BIPED_SHELL,  /* helmet, boots, cuffs */
    BIPED_VISOR,
    BIPED_EYES
} biped_material;

enum { BIPED_LEFT = 0, BIPED_RIGHT = 1, BIPED_SIDES = 2 };

/* --- joints ------------------------------------------------------------------------ */

/* Parent, -1 for the hips. */
int32_t biped_parent(uint32_t joint);
/* Place of a joint in the rest pose, scene space. */
mrw_vec3 biped_rest_place(uint32_t joint);
/* The joint across: left for right; [BIPED_JOINT_COUNT]. Those in the middle are their own. */
const uint16_t *biped_mirror(void);
/* The way the left arm points in the rest pose; the right one's is its mirror image. */
mrw_vec3 biped_arm_direction(void);

/* --- body ---------------------------------------------------------------------------- */

void biped_add_body(demo_mesh *mesh);
void biped_add_head(demo_mesh *mesh);

/* --- motions ---------------------------------------------------------------------------- */

/* Angles in radians; what a positive one does is said for the left side, the right mirrors it. */
typedef struct biped_arm {
    float swing;  /* of the whole arm, forward */
    float spread; /* away from the body; 0 hangs straight down */
    float twist;  /* about its own length, the elbow's bend turning inward */
    float elbow;  /* bent, the forearm coming forward */
    float wrist;  /* bent, the palm coming inward */
    float curl;   /* of the fingers */
    float shrug;  /* of the shoulder, up */
    float reach;  /* of the shoulder, forward */
} biped_arm;

typedef struct biped_foot {
    mrw_vec3 ankle; /* scene space */
    float pitch;    /* toes down */
    float yaw;      /* toes out */
    float toes;     /* bent up against the foot */
} biped_foot;

typedef struct biped_turn {
    float pitch, yaw, roll; /* forward, to the left, to the right side */
} biped_turn;

/* Everything that a moment of a motion decides. */
typedef struct biped_controls {
    mrw_vec3 hips; /* moved from the rest place */
    biped_turn hips_turn;
    biped_turn spine;   /* against the hips */
    biped_turn chest;   /* against the spine */
    biped_turn head;    /* in scene space: the neck makes up for what is below it */
    biped_turn antenna; /* against the head */
    biped_arm arms[BIPED_SIDES];
    biped_foot feet[BIPED_SIDES];
} biped_controls;

typedef struct biped_pose {
    mrw_vec3 hips; /* translation of the hips; the other joints keep that of the rest pose */
    mrw_quat rotations[BIPED_JOINT_COUNT]; /* local */
} biped_pose;

void biped_solve(const biped_controls *controls, biped_pose *out_pose);

/* A gait as its feet need it. Phases count from 0 to 1 over one cycle, from the moment when
 * the foot touches the ground. */
typedef struct biped_gait {
    float stance;            /* phase at which the foot leaves the ground */
    float travel;            /* metres that the ground moves back during the stance */
    float contact_z;         /* where a flat foot's ankle would touch down */
    float contact_pitch;     /* radians, toes down; negative lands on the heel */
    float flat_phase;        /* the whole sole is down from here */
    float roll_phase;        /* the heel rises from here */
    float push_pitch;        /* radians, reached when the foot leaves */
    const float (*swing)[4]; /* [swing_count] phase, ankle z, ankle y, pitch in degrees */
    uint32_t swing_count;
} biped_gait;

/* Ankle height and z, pitch and toes of a foot at a phase of [0, 1); the rest of *foot is left
 * alone. */
void biped_step(const biped_gait *gait, float phase, biped_foot *foot);

/* A motion; `controls_at` fills the controls for a phase of [0, 1). */
typedef struct biped_motion {
    const char *name;
    float duration_s;
    uint32_t key_interval_count;
    void (*controls_at)(float phase, biped_controls *out_controls);
} biped_motion;

enum { BIPED_MOTION_COUNT = 3 };

const biped_motion *biped_motions(void); /* [BIPED_MOTION_COUNT] */

#endif
