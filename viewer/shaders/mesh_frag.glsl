// A matte surface under a sky, a key light and a rim light. Lighting is done on linear values
// and encoded to sRGB at the end. GLSL 330 and GLSL ES 300 both take this text.
#ifdef GL_ES
precision highp float;
precision highp int;
#endif

in vec3 scene_position;
in vec3 scene_normal;
in vec2 texcoord;
in vec4 color;
in float heat;

uniform vec3 eye;
uniform int surface; // view_surface: 0 material, 1 heat, 2 shadow
uniform vec4 base_color;
uniform sampler2D base_color_texture;
uniform float alpha_cutoff; // 0: nothing is cut out
uniform bool is_blended;    // else alpha means nothing beyond the cut
uniform bool has_normals;
uniform vec3 key_direction; // towards the light
uniform float roughness;

layout(location = 0) out vec4 out_color;

vec3 encode_srgb(vec3 linear)
{
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(low, high, step(vec3(0.0031308), linear));
}

vec3 decode_srgb(vec3 encoded)
{
    vec3 high = pow((encoded + 0.055) / 1.055, vec3(2.4));
    return mix(encoded / 12.92, high, step(vec3(0.04045), encoded));
}

// Grey where the joint has no say at all, then blue, cyan, yellow, red: lighter up to yellow, so that
// the order can be read without telling colours apart.
vec3 heat_color(float amount)
{
    float at = clamp(amount, 0.0, 1.0);
    vec3 ramp = mix(vec3(0.13, 0.30, 0.78), vec3(0.15, 0.74, 0.84), clamp(at / 0.35, 0.0, 1.0));
    ramp = mix(ramp, vec3(0.98, 0.88, 0.30), clamp((at - 0.35) / 0.35, 0.0, 1.0));
    ramp = mix(ramp, vec3(0.88, 0.16, 0.12), clamp((at - 0.70) / 0.30, 0.0, 1.0));
    return decode_srgb(mix(vec3(0.58, 0.60, 0.64), ramp, clamp(at / 0.02, 0.0, 1.0)));
}

void main()
{
    vec4 matter = base_color * color * texture(base_color_texture, texcoord);
    if (matter.a < alpha_cutoff)
        discard;
    if (surface == 2) {
        out_color = vec4(0.02, 0.03, 0.05, 0.30);
        return;
    }
    if (surface == 1)
        matter.rgb = heat_color(heat);
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
    vec3 shaded = matter.rgb * light + vec3(highlight * key) + matter.rgb * rim;
    out_color = vec4(encode_srgb(min(shaded, vec3(1.0))), is_blended ? matter.a : 1.0);
}
