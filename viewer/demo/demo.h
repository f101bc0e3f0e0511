/* The characters that `marrow demo` writes and the web page offers, made by computation from nothing. */
#ifndef VIEW_DEMO_H
#define VIEW_DEMO_H

#include <marrow/offline/scene.h>

/* Each fills an empty scene; false if its memory ran out. The same bits on every machine. */

/* A box strip of square section, skinned to a chain of four joints; clip "bend". */
bool demo_fill_tentacle(mrw_scene *scene);

/* A humanoid of 27 joints; clips "idle", "walk" and "run". */
bool demo_fill_biped(mrw_scene *scene);

#endif
