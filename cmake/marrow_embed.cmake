# cmake -DOUTPUT=FILE.c "-DSHADERS=a.glsl;b.glsl" -P marrow_embed.cmake
# Writes each text file as a C string constant.
set(code "/* Generated from viewer/shaders by cmake/marrow_embed.cmake. */\n#include <gl/shader_sources.h>\n")
foreach(shader IN LISTS SHADERS)
  get_filename_component(name ${shader} NAME)
  string(REGEX REPLACE "\\.glsl$" "" name ${name})
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${shader} text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  string(APPEND code "\nconst char view_shader_${name}[] =\n    \"${text}\";\n")
endforeach()
file(WRITE ${OUTPUT} "${code}")
