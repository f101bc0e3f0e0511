/* The text of each file in viewer/shaders, put into the program by the build. */
#ifndef VIEW_GL_SHADER_SOURCES_H
#define VIEW_GL_SHADER_SOURCES_H

extern const char view_shader_mesh_vert[];
extern const char view_shader_mesh_frag[];
extern const char view_shader_plain_vert[];
extern const char view_shader_plain_frag[];
extern const char view_shader_canvas_vert[];
extern const char view_shader_canvas_frag[];

#endif
