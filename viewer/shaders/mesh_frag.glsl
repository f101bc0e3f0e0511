// A matte surface under a sky, a key light and a rim light. Lighting is done on linear values
// and encoded to sRGB at the end.

in vec3 scene_position;
in vec3 scene_normal;
in vec2 texcoord;
in vec4 color;

uniform vec3 eye;
uniform vec4 base_color;
uniform sampler2D base_color_texture;
uniform float alpha_cutoff; // 0: nothing is cut out
uniform bool is_blended;    // else alpha means nothing beyond the cut
uniform bool has_normals;
uniform bool is_shadow;
uniform vec3 key_direction; // towards the light
uniform float roughness;

layout(location = 0) out vec4 out_color;

vec3 encode_srgb(vec3 linear)
{
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(low, high, step(vec3(0.0031308), linear));
}

void main()
{
    vec4 surface = base_color * color * texture(base_color_texture, texcoord);
    if (surface.a < alpha_cutoff)
        discard;
    if (is_shadow) {
        out_color = vec4(0.02, 0.03, 0.05, 0.30);
        return;
    }
    vec3 view = normalize(eye - scene_position);
    vec3 normal = has_normals && dot(scene_normal, scene_normal) > 0.0
                      ? normalize(scene_normal)
                      : normalize(cross(dFdx(scene_position), dFdy(scene_position)));
    if (dot(normal, view) < 0.0 && !has_normals)
        normal = -normal;
    if (has_normals && !gl_FrontFacing && dot(normal, view) < 0.0)
        normal = -normal;

    float key = max(dot(normal, key_direction), 0.0);
    float sky = 0.5 + 0.5 * normal.y;
    vec3 ambient = mix(vec3(0.17, 0.16, 0.16), vec3(0.44, 0.48, 0.55), sky);
    vec3 half_way = normalize(key_direction + view);
    float gloss = exp2(8.0 * (1.0 - roughness) + 2.0);
    float highlight = 0.18 * (1.0 - roughness) * pow(max(dot(normal, half_way), 0.0), gloss);
    float rim = 0.16 * pow(1.0 - max(dot(normal, view), 0.0), 3.0) * sky;
    vec3 light = ambient + vec3(1.0, 0.95, 0.87) * key * 0.80;
    vec3 shaded = surface.rgb * light + vec3(highlight * key) + surface.rgb * rim;
    out_color = vec4(encode_srgb(min(shaded, vec3(1.0))), is_blended ? surface.a : 1.0);
}
