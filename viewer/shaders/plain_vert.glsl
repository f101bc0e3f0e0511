// Coloured vertices: the skeleton overlay, the ground, the background.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec4 in_color;

uniform mat4 view_projection;

out vec4 color;

void main()
{
    color = in_color;
    gl_Position = view_projection * vec4(in_position, 1.0);
}
