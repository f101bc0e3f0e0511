/* The texts that shaders/TEXTS lists, put into the library by the build (cmake/marrow_embed.cmake). */
#ifndef MRWI_SHADER_TEXTS_H
#define MRWI_SHADER_TEXTS_H

extern const char mrwi_shader_text_glsl_linear[];
extern const char mrwi_shader_text_glsl_dual_quat[];
extern const char mrwi_shader_text_glsl_blended[];
extern const char mrwi_shader_text_wgsl_linear[];
extern const char mrwi_shader_text_wgsl_dual_quat[];
extern const char mrwi_shader_text_hlsl_linear[];
extern const char mrwi_shader_text_hlsl_dual_quat[];

#endif
