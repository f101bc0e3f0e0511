/* model[joints[i]] * inverse_binds[i]. Nothing waits for anything here, so the loop is left to the
 * processor, which also begins it while the last joints of the model stage are under way. (Products
 * made between the joints of that stage, as soon as theirs is there, were slower: 389 instead of
 * 379 ns for both.) */
#include "model/matrix_rows.inl"

static void palette_products(const mrw_mat34 *model, const uint32_t *joints,
                             const mrw_mat34 *inverse_binds, uint32_t count, mrw_mat34 *out_palette)
{
    for (uint32_t i = 0; i < count; i++)
        matrix_rows_mul(model[joints[i]].m[0], inverse_binds[i].m[0], 4, out_palette[i].m[0]);
}
