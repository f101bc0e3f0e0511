// A vertex on its way to the screen.
//
// In front of this text stand a version line, and for vertices that are skinned here `#define
// VIEW_SKINNED`, the choices of marrow/shader.h (MRW_LOCATION 5 among them) and its text. Without
// VIEW_SKINNED, positions and normals are in scene space already. GLSL 330 and GLSL ES 300 both take it.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_texcoord;
layout(location = 3) in vec4 in_color;
layout(location = 4) in float in_heat;

uniform mat4 view_projection;

out vec3 scene_position; // also what transform feedback captures
out vec3 scene_normal;
out vec2 texcoord;
out vec4 color;
out float heat;

void main()
{
    vec3 position = in_position;
    vec3 normal = in_normal;
#ifdef VIEW_SKINNED
#ifdef MRW_MORPH
    mrw_skinned morphed = mrw_morph(position, normal);
    position = morphed.position;
    normal = morphed.normal;
#endif
    mrw_skinned skinned = mrw_skin(position, normal);
    position = skinned.position;
    normal = skinned.normal;
#endif
    scene_position = position;
    scene_normal = normal;
    texcoord = in_texcoord;
    color = in_color;
    heat = in_heat;
    gl_Position = view_projection * vec4(position, 1.0);
    gl_PointSize = 4.0;
}
