// --- dialects ---------------------------------------------------------------------------

// Sampler precision is low by default, and a palette needs all of a float.
#ifdef GL_ES
precision highp float;
precision highp int;
precision highp sampler2D;
#endif

// GLSL ES 100 has no unsigned integers, no % and no texelFetch: it counts in floats.
#if __VERSION__ < 130
#define MRWI_OLD
#define mrwi_index float
#define mrwi_index2 vec2
#define MRWI_SIZE(pixels, size) size
#else
#define mrwi_index int
#define mrwi_index2 ivec2
#define MRWI_SIZE(pixels, size) textureSize(pixels, 0)
#endif

struct mrw_skinned {
    vec3 position;
    vec3 normal;
};

// Texel i of a texture is at (i % width, i / width).
#ifdef MRWI_OLD
vec2 mrwi_place(float i, float width)
{
    float y = floor((i + 0.5) / width);
    float x = i - y * width; // exact; the quotient may be off by one in a large texture
    if (x < 0.0)
        return vec2(x + width, y - 1.0);
    return x < width ? vec2(x, y) : vec2(x - width, y + 1.0);
}

vec4 mrwi_texel(sampler2D pixels, vec2 size, vec2 place)
{
    return texture2DLod(pixels, (place + 0.5) / size, 0.0);
}
#else
ivec2 mrwi_place(int i, int width)
{
    int y = i / width;
    return ivec2(i - y * width, y);
}

vec4 mrwi_texel(sampler2D pixels, ivec2 size, ivec2 place)
{
    return texelFetch(pixels, place, 0);
}
#endif

mrwi_index2 mrwi_next_place(mrwi_index2 place, mrwi_index width)
{
    mrwi_index x = place.x + mrwi_index(1);
    return x < width ? mrwi_index2(x, place.y) : mrwi_index2(0, place.y + mrwi_index(1));
}

