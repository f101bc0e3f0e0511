/* A program outside Marrow's tree that uses the runtime alone. Valid C and C++. */
#include <marrow/marrow.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    mrw_vec3 z = {0.0f, 0.0f, 1.0f};
    mrw_vec3 elbow = {1.0f, 0.0f, 0.0f};
    mrw_vec3 moved = mrw_quat_rotate(mrw_quat_from_axis_angle(z, MRW_PI / 2.0f), elbow);

    printf("version %s, elbow at %.6f %.6f %.6f\n", mrw_version(), (double)moved.x, (double)moved.y,
           (double)moved.z);
    bool turned = moved.x > -1e-6f && moved.x < 1e-6f && moved.y > 0.999999f &&
                  moved.y < 1.000001f && moved.z == 0.0f;
    return turned && strcmp(mrw_version(), MRW_VERSION_STRING) == 0 ? 0 : 1;
}
