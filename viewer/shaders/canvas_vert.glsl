// Boxes, triangles and text over the picture, in pixels from the top left.

layout(location = 0) in vec2 in_position;
layout(location = 1) in vec2 in_local; // from the box's centre, or in the atlas
layout(location = 2) in vec3 in_shape; // half the box's size; its corners' radius, or what else it is
layout(location = 3) in vec4 in_color;

uniform vec2 size;

out vec2 local;
flat out vec3 shape;
out vec4 color;

void main()
{
    local = in_local;
    shape = in_shape;
    color = in_color;
    vec2 part = in_position / size;
    gl_Position = vec4(part.x * 2.0 - 1.0, 1.0 - part.y * 2.0, 0.0, 1.0);
}
