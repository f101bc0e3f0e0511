#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D atlas;

in vec2 local;
flat in vec3 shape;
in vec4 color;

layout(location = 0) out vec4 out_color;

void main()
{
    float coverage = 1.0;
    if (shape.z > -0.5) {
        vec2 outside = abs(local) - shape.xy + shape.z;
        float depth = length(max(outside, 0.0)) + min(max(outside.x, outside.y), 0.0) - shape.z;
        coverage = clamp(0.5 - depth, 0.0, 1.0);
    } else if (shape.z > -1.5) {
        // Thin light strokes on dark ground look thinner than they are.
        coverage = pow(texelFetch(atlas, ivec2(local), 0).r, 0.85);
    }
    out_color = vec4(color.rgb, color.a * coverage);
}
