/* Playing: which clip, where in it, how fast, and a crossfade into another one. */
#ifndef VIEW_CORE_TIMELINE_H
#define VIEW_CORE_TIMELINE_H

#include <marrow/offline/build.h>

/* Shells may write the fields: what is out of range means none, and what is not a number nothing. */
typedef struct view_timeline {
    int32_t clip;          /* -1: the rest pose */
    int32_t other_clip;    /* crossfaded with `clip`; -1: none */
    float fade;            /* 0 all clip .. 1 all other_clip */
    double time_s;         /* in `clip`; may run past its end while looping: samplers wrap */
    double speed;          /* 1 is real time; negative plays backwards */
    bool playing;
    bool loop;
} view_timeline;

/* The first clip playing in a loop, or the rest pose standing still where there is none. */
view_timeline view_timeline_start(const mrw_character *character);

/* Chooses a clip and starts it at 0; it plays if the clip before did. The crossfade ends. Out of range
 * is -1. */
void view_timeline_choose(view_timeline *timeline, const mrw_character *character, int32_t clip);

/* Begins a crossfade, halfway, or ends it with -1: the clip that is seen more stays, at its moment. */
void view_timeline_crossfade(view_timeline *timeline, const mrw_character *character,
                             int32_t other_clip);

/* Of `clip`; while it is crossfaded and has no length itself (a still pose), of other_clip. 0 for the
 * rest pose. */
double view_timeline_duration_s(const view_timeline *timeline, const mrw_character *character);

/* Moves on by elapsed_s of the clock, if it plays. Without loop it stops at the end (or start). With loop
 * time_s stays in [0, duration). A crossfade between clips of different lengths plays each as fast as it
 * is seen: at fade 1 other_clip has its own speed. */
void view_timeline_advance(view_timeline *timeline, const mrw_character *character, double elapsed_s);

/* Plays, or stops. At an end where nothing loops, playing begins at the other end. */
void view_timeline_toggle(view_timeline *timeline, const mrw_character *character);

/* Stops and goes to a time, clamped to the clip. */
void view_timeline_scrub(view_timeline *timeline, const mrw_character *character, double time_s);

/* Stops and goes by whole frames of 1/30 s, wrapping if it loops. */
void view_timeline_step(view_timeline *timeline, const mrw_character *character, int32_t frames);

/* Where other_clip stands: both clips keep the same phase, so that steps of a walk and a run meet. */
double view_timeline_other_time_s(const view_timeline *timeline, const mrw_character *character);

#endif
