/* marrow/marrow.h: the whole runtime. The offline library has headers of its own
 * in marrow/offline. */
#ifndef MARROW_MARROW_H
#define MARROW_MARROW_H

#include <marrow/base.h>
#include <marrow/math.h>
#include <marrow/asset.h>
#include <marrow/asset_file.h>
#include <marrow/pose.h>
#include <marrow/skeleton.h>
#include <marrow/clip.h>
#include <marrow/sample.h>
#include <marrow/blend.h>
#include <marrow/model.h>
#include <marrow/skin.h>
#include <marrow/mesh.h>
#include <marrow/stored_clip.h>
#include <marrow/crowd.h>
#include <marrow/shader.h>

#endif
