// A skinned vertex on its way to the screen. skinning.glsl stands before this text.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in uvec4 in_joints;
layout(location = 3) in vec4 in_weights;
layout(location = 4) in vec2 in_texcoord;
layout(location = 5) in vec4 in_color;

uniform mat4 view_projection;

out vec3 scene_position; // also what transform feedback captures
out vec3 scene_normal;
out vec2 texcoord;
out vec4 color;

void main()
{
    Skinned skinned = skin_vertex(in_position, in_normal, in_joints, in_weights);
    scene_position = skinned.position;
    scene_normal = skinned.normal;
    texcoord = in_texcoord;
    color = in_color;
    gl_Position = view_projection * vec4(skinned.position, 1.0);
    gl_PointSize = 4.0;
}
