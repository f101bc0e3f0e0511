/* marrow/offline/offline.h: the whole offline library. */
#ifndef MARROW_OFFLINE_OFFLINE_H
#define MARROW_OFFLINE_OFFLINE_H

#include <marrow/offline/memory.h>
#include <marrow/offline/scene.h>
#include <marrow/offline/import.h>
#include <marrow/offline/build.h>
#include <marrow/offline/export.h>
#include <marrow/offline/compress.h>
#include <marrow/offline/load.h>

#endif
