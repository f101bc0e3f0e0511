/* The skeleton as a tree.
 *
 *      0  · · ·  Armature
 *      1  s a ·  └─ Hips
 *      2  s a ·     ├─ Spine
 *
 * Joints stand breadth-first in a skeleton, but a tree is read depth-first: each joint first gets
 * the lists of its children and the number of joints below it. A long tree is cut at the depth
 * where what is above still fits a screen or two, and where so many siblings stand side by side
 * that it does not, after the first of them; each cut says how many joints it hides.
 */
#include "inspection.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Lines and levels that a tree may have before it is cut, and levels that a line is indented by at
 * most: what is deeper says how much. */
enum { LINE_LIMIT = 100, DEPTH_LIMIT = 24, INDENT_LIMIT = 32 };

typedef struct joint_tree {
    const inspection *facts;
    const mrw_skeleton *skeleton;
    uint32_t joint_count;
    int32_t *first_child;
    int32_t *next_sibling;
    uint32_t *depths;
    uint32_t *below;    /* joints under each one */
    uint32_t depth_cut; /* joints deeper than this are not shown */
    uint32_t lines_left;
    bool *lasts; /* [depth] whether the ancestor at that depth has no sibling after it */
} joint_tree;

static bool allocate(joint_tree *tree)
{
    size_t count = (size_t)tree->joint_count + 1;
    tree->first_child = malloc(count * sizeof(*tree->first_child));
    tree->next_sibling = malloc(count * sizeof(*tree->next_sibling));
    tree->depths = calloc(count, sizeof(*tree->depths));
    tree->below = calloc(count, sizeof(*tree->below));
    tree->lasts = calloc(count, sizeof(*tree->lasts));
    return tree->first_child && tree->next_sibling && tree->depths && tree->below && tree->lasts;
}

static void release(joint_tree *tree)
{
    free(tree->first_child);
    free(tree->next_sibling);
    free(tree->depths);
    free(tree->below);
    free(tree->lasts);
}

/* Roots are the children of an imagined joint, the one past the last. Going backwards, each joint
 * is put before its later siblings and has all of its own subtree counted. */
static void link_joints(joint_tree *tree)
{
    uint32_t none = tree->joint_count;
    for (uint32_t i = 0; i <= tree->joint_count; ++i) {
        tree->first_child[i] = -1;
        tree->next_sibling[i] = -1;
    }
    for (uint32_t i = 0; i < tree->joint_count; ++i) {
        int32_t parent = tree->skeleton->parents[i];
        tree->depths[i] = parent < 0 ? 0 : tree->depths[parent] + 1;
    }
    for (uint32_t i = tree->joint_count; i-- > 0;) {
        int32_t parent = tree->skeleton->parents[i];
        uint32_t above = parent < 0 ? none : (uint32_t)parent;
        tree->next_sibling[i] = tree->first_child[above];
        tree->first_child[above] = (int32_t)i;
        tree->below[above] += tree->below[i] + 1;
    }
}

/* Depths never fall along a breadth-first list, so the first joint that is too many tells the
 * depth. */
static void choose_cut(joint_tree *tree, bool all_joints)
{
    tree->depth_cut = UINT32_MAX;
    tree->lines_left = UINT32_MAX;
    if (all_joints || tree->joint_count <= LINE_LIMIT) {
        return;
    }
    uint32_t depth = tree->depths[LINE_LIMIT];
    tree->depth_cut = depth > 2 ? depth - 1 : 1;
    if (tree->depth_cut > DEPTH_LIMIT) {
        tree->depth_cut = DEPTH_LIMIT;
    }
    tree->lines_left = LINE_LIMIT;
}

static void print_branches(const joint_tree *tree, uint32_t depth)
{
    uint32_t first = 1;
    if (depth > INDENT_LIMIT) {
        first = depth - INDENT_LIMIT + 1;
        printf("+%u ", (unsigned)(depth - INDENT_LIMIT));
    }
    for (uint32_t i = first; i < depth; ++i) {
        fputs(tree->lasts[i] ? "   " : "│  ", stdout);
    }
    if (depth > 0) {
        fputs(tree->lasts[depth] ? "└─ " : "├─ ", stdout);
    }
}

static void print_marks(uint8_t marks)
{
    printf("%s %s %s  ", marks & JOINT_OF_SKIN ? "s" : "·", marks & JOINT_ANIMATED ? "a" : "·",
           marks & JOINT_WITH_MESH ? "m" : "·");
}

/* A name that had to be made unique stands beside the file's. */
static void print_name(const joint_tree *tree, uint32_t joint)
{
    const char *name = mrw_skeleton_joint_name(tree->skeleton, joint);
    const char *source = cli_source_name(tree->facts->input, joint);
    cli_put_text(stdout, name);
    if (source[0] != '\0' && strcmp(name, source) != 0) {
        fputs("  (in the file \"", stdout);
        cli_put_text(stdout, source);
        fputs("\")", stdout);
    }
}

static void print_instance(const joint_tree *tree, int32_t instance_index)
{
    if (instance_index < 0) {
        return;
    }
    const mrw_character *character = tree->facts->input->character;
    const mrw_mesh_instance *instance = &character->instances[instance_index];
    printf("  = mesh %u", (unsigned)instance->mesh);
    if (instance->skin >= 0) {
        printf(", skin %d", (int)instance->skin);
    }
}

static void print_joint(joint_tree *tree, uint32_t joint)
{
    uint32_t depth = tree->depths[joint];
    printf("  %5u  ", (unsigned)joint);
    print_marks(tree->facts->joint_marks[joint]);
    print_branches(tree, depth);
    print_name(tree, joint);
    print_instance(tree, tree->facts->joint_instances[joint]);
    if (depth >= tree->depth_cut && tree->below[joint] > 0) {
        printf("  ... %u more below", (unsigned)tree->below[joint]);
    }
    printf("\n");
}

/* Joints from this one to its last sibling, with all below them. */
static uint32_t count_rest(const joint_tree *tree, int32_t joint)
{
    uint32_t count = 0;
    for (; joint >= 0; joint = tree->next_sibling[joint]) {
        count += tree->below[joint] + 1;
    }
    return count;
}

static void print_cut_siblings(joint_tree *tree, int32_t joint)
{
    uint32_t depth = tree->depths[joint];
    printf("                ");
    tree->lasts[depth] = true;
    print_branches(tree, depth);
    printf("... %u more here\n", (unsigned)count_rest(tree, joint));
}

/* The joint that follows in depth-first order; -1 at the end. A loop and not a recursion, because a
 * file may hang 65,535 joints on one another. */
static int32_t next_joint(const joint_tree *tree, int32_t joint, bool descend)
{
    if (descend && tree->first_child[joint] >= 0) {
        return tree->first_child[joint];
    }
    while (joint >= 0 && tree->next_sibling[joint] < 0) {
        joint = tree->skeleton->parents[joint];
    }
    return joint < 0 ? -1 : tree->next_sibling[joint];
}

static int32_t skip_siblings(const joint_tree *tree, int32_t joint)
{
    int32_t parent = tree->skeleton->parents[joint];
    return parent < 0 ? -1 : next_joint(tree, parent, false);
}

static void print_joints(joint_tree *tree)
{
    int32_t joint = tree->first_child[tree->joint_count];
    while (joint >= 0) {
        uint32_t depth = tree->depths[joint];
        if (tree->lines_left == 0) {
            print_cut_siblings(tree, joint);
            joint = skip_siblings(tree, joint);
            continue;
        }
        tree->lines_left -= 1;
        tree->lasts[depth] = tree->next_sibling[joint] < 0;
        print_joint(tree, (uint32_t)joint);
        joint = next_joint(tree, joint, depth < tree->depth_cut);
    }
}

bool cli_inspection_print_tree(const inspection *facts, bool all_joints)
{
    joint_tree tree = {0};
    tree.facts = facts;
    tree.skeleton = &facts->input->character->skeleton;
    tree.joint_count = tree.skeleton->joint_count;
    bool complete = allocate(&tree);
    if (complete) {
        link_joints(&tree);
        choose_cut(&tree, all_joints);
        print_joints(&tree);
        if (tree.depth_cut != UINT32_MAX) {
            printf("  (the tree is cut short: --all shows every joint)\n");
        }
    }
    release(&tree);
    return complete;
}
