// Shaders of the tentacle page. The strip's vertex shader is the library's text with a main behind it.

const LIGHT = `
const vec3 KEY = normalize(vec3(0.45, 0.8, 0.55));
vec3 encoded(vec3 linear) { return pow(clamp(linear, 0.0, 1.0), vec3(1.0 / 2.2)); }
vec3 lit(vec3 colour, vec3 normal, vec3 to_eye, float gloss)
{
    float key = dot(normal, KEY);
    float wrapped = max(0.0, (key + 0.35) / 1.35);
    vec3 sky = mix(vec3(0.20, 0.19, 0.21), vec3(0.40, 0.45, 0.55), normal.y * 0.5 + 0.5);
    float fill = max(0.0, dot(normal, normalize(vec3(-0.8, 0.15, 0.35)))) * 0.14;
    float shine = pow(max(0.0, dot(normal, normalize(KEY + to_eye))), 42.0) * gloss;
    float rim = pow(1.0 - max(0.0, dot(normal, to_eye)), 3.0) * 0.20;
    return colour * (sky + fill + wrapped * vec3(1.05, 1.0, 0.92)) + shine + rim * vec3(0.7, 0.8, 1.0) * (0.4 + 0.6 * wrapped);
}`;

/** @param {string} versionLine @param {string} skinning the library's text */
export const stripVertex = (versionLine, skinning) => `${versionLine}
#define MRW_INFLUENCES 4
#define MRW_LOCATION 3
#define MRW_NORMALS 2
${skinning}
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec2 a_surface;
uniform mat4 u_view_projection;
uniform vec3 u_shadow_light; // not zero: flattened on the ground along it
out vec3 v_position;
out vec3 v_normal;
out vec2 v_surface;
void main()
{
    mrw_skinned skinned = mrw_skin(a_position, a_normal);
    v_position = skinned.position;
    v_normal = skinned.normal;
    v_surface = a_surface;
    vec3 position = skinned.position;
    if (u_shadow_light.y > 0.0)
        position -= u_shadow_light * (position.y / u_shadow_light.y) - vec3(0.0, 0.002, 0.0);
    gl_Position = u_view_projection * vec4(position, 1.0);
}`;

export const stripFragment = `#version 300 es
precision highp float;
in vec3 v_position;
in vec3 v_normal;
in vec2 v_surface; // the way around 0..1, the height
uniform vec3 u_eye;
uniform vec3 u_shadow_light;
uniform vec3 u_shadow; // colour of the ground in full shadow
uniform vec3 u_tones[4]; // two of the squares, the stripe, the middle ring
out vec4 out_colour;
${LIGHT}
// 1 inside of lo..hi, with an edge one pixel wide.
float band(float x, float lo, float hi, float pixel) { return clamp((x - lo) / pixel + 0.5, 0.0, 1.0) * clamp((hi - x) / pixel + 0.5, 0.0, 1.0); }
// -1 and 1 in turn, smooth at the edges; 0 where the squares are too small to be seen.
float turns(float x, float pixel) { float d = abs(fract(x) - 0.5) - 0.25; return clamp(d / pixel, -1.0, 1.0) * clamp(1.5 - pixel * 2.0, 0.0, 1.0); }
void main()
{
    if (u_shadow_light.y > 0.0) {
        float strength = exp(-0.8 * max(0.0, v_position.y));
        out_colour = vec4(mix(vec3(1.0), u_shadow, strength), 1.0);
        return;
    }
    float along = v_surface.y, around = v_surface.x;
    vec2 pixel = max(fwidth(v_surface), vec2(1e-5));
    float squares = turns(around * 4.0 + 0.125, pixel.x * 4.0) * turns(along * 2.0 + 0.25, pixel.y * 2.0);
    vec3 colour = mix(u_tones[0], u_tones[1], squares * 0.5 + 0.5);
    float line = 0.0;
    for (int i = 1; i <= 3; i++)
        line = max(line, band(along, float(i) - 0.02, float(i) + 0.02, pixel.y));
    colour = mix(colour, colour * 0.45, line);
    float stripe = min(around, 1.0 - around);
    colour = mix(colour, u_tones[2], band(stripe, -1.0, 0.045, pixel.x));
    colour = mix(colour, u_tones[3], band(along, 1.965, 2.035, pixel.y));

    vec3 to_eye = normalize(u_eye - v_position);
    float size = length(v_normal);
    vec3 normal = size > 1e-6 ? v_normal / size : to_eye;
    float ground = 0.55 + 0.45 * smoothstep(0.0, 0.7, v_position.y); // little light reaches the foot
    out_colour = vec4(encoded(lit(colour, normal, to_eye, 0.28) * ground), 1.0);
}`;

export const groundVertex = `#version 300 es
uniform mat4 u_view_projection;
uniform float u_size;
out vec2 v_place;
void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_place = corner * u_size;
    gl_Position = u_view_projection * vec4(v_place.x, 0.0, v_place.y, 1.0);
}`;

export const groundFragment = `#version 300 es
precision highp float;
in vec2 v_place;
uniform float u_size;
uniform vec3 u_ground;
uniform vec3 u_line;
out vec4 out_colour;
void main()
{
    float r = length(v_place);
    float pixel = fwidth(r);
    float circle = 1.0 - clamp((abs(fract(r * 2.0 + 0.5) - 0.5) * 0.5 - 0.004) / pixel + 0.5, 0.0, 1.0);
    float near_foot = 1.0 - 0.38 * exp(-2.6 * max(0.0, r - 0.42));
    float fade = 1.0 - smoothstep(0.35, 1.0, r / u_size);
    out_colour = vec4(mix(u_ground, u_line, circle * 0.5) * near_foot, fade);
}`;

export const boneVertex = `#version 300 es
layout(location = 0) in vec3 a_position; // y from 0 to 1 along the bone
layout(location = 1) in vec3 a_normal;
uniform mat4 u_view_projection;
uniform vec4 u_rows[12]; // model matrices of four joints
out vec3 v_position;
out vec3 v_normal;
void main()
{
    int first = gl_InstanceID * 3;
    mat4 rows = mat4(u_rows[first], u_rows[first + 1], u_rows[first + 2], vec4(0.0, 0.0, 0.0, 1.0));
    vec4 position = vec4(a_position, 1.0) * rows; // a row vector from the left: rows are columns here
    v_position = position.xyz;
    v_normal = (vec4(a_normal, 0.0) * rows).xyz;
    gl_Position = u_view_projection * position;
}`;

export const boneFragment = `#version 300 es
precision highp float;
in vec3 v_position;
in vec3 v_normal;
uniform vec3 u_eye;
uniform vec3 u_colour;
out vec4 out_colour;
${LIGHT}
void main()
{
    out_colour = vec4(encoded(lit(u_colour, normalize(v_normal), normalize(u_eye - v_position), 0.1)), 0.88);
}`;
