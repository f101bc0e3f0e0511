/* That two meshes have the same bits. */
#ifndef TESTS_SAME_MESH_H
#define TESTS_SAME_MESH_H

#include <marrow/offline/build.h>

#include "unit/near.h"

static inline void expect_array(const void *a, const void *b, size_t count, size_t size_bytes)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL && count > 0)
        assert_memory_equal(a, b, count * size_bytes);
}

static inline void expect_same_mesh(const mrw_mesh *a, const mrw_mesh *b)
{
    const size_t count = a->vertex_count;
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->part_count, b->part_count);
    assert_int_equal(a->index_count, b->index_count);
    assert_int_equal(a->influence_count, b->influence_count);
    assert_int_equal(a->target_count, b->target_count);
    expect_array(a->parts, b->parts, a->part_count, sizeof(*a->parts));
    expect_array(a->positions, b->positions, count, 12);
    expect_array(a->normals, b->normals, count, 12);
    expect_array(a->tangents, b->tangents, count, 16);
    expect_array(a->texcoords, b->texcoords, count, 8);
    expect_array(a->colors, b->colors, count, 16);
    expect_array(a->joints, b->joints, count * a->influence_count, 2);
    expect_array(a->weights, b->weights, count * a->influence_count, 4);
    expect_array(a->source_vertices, b->source_vertices, count, 4);
    expect_array(a->vertex_remap, b->vertex_remap, count, 4);
    expect_array(a->indices, b->indices, a->index_count, 4);
    for (uint32_t i = 0; i < a->target_count; i++) {
        const mrw_morph_target *s = &a->targets[i], *t = &b->targets[i];
        const size_t moved = mrw_morph_target_count(s, a->vertex_count);
        assert_string_equal(a->target_names[i], b->target_names[i]);
        assert_int_equal(moved, mrw_morph_target_count(t, b->vertex_count));
        expect_array(s->positions, t->positions, moved, 12);
        expect_array(s->normals, t->normals, moved, 12);
        expect_array(s->tangents, t->tangents, moved, 12);
        expect_array(s->vertices, t->vertices, moved, 4);
    }
}

#endif
