# Shaders as C strings, made by marrow_embed.cmake; bare where a page downloads them.

set(MARROW_EMBED ${CMAKE_CURRENT_LIST_DIR}/marrow_embed.cmake)
set(MARROW_EMBED_BARE OFF)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(MARROW_EMBED_BARE ON)
endif()
get_filename_component(MARROW_SHADERS ${CMAKE_CURRENT_LIST_DIR}/../shaders ABSOLUTE)

# marrow_embed_texts(OUT): the C file with the texts that mrw_shader_source returns, for every build of
# src/shader.
function(marrow_embed_texts out)
  file(GLOB texts CONFIGURE_DEPENDS ${MARROW_SHADERS}/*)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated/shader_texts.c)
  add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} -DLIST=${MARROW_SHADERS}/TEXTS
            -DHEADER=shader/shader_texts.h -DPREFIX=mrwi_shader_text_ -DBARE=${MARROW_EMBED_BARE} -P ${MARROW_EMBED}
    DEPENDS ${texts} ${MARROW_EMBED} VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# marrow_embed_shaders(OUT FOLDER): a C file with each shader of the viewer's folder as a string named
# after its file, skin_vert.glsl -> view_shader_skin_vert.
function(marrow_embed_shaders out folder)
  file(GLOB shaders CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.glsl)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated/shader_sources.c)
  add_custom_command(OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} "-DFILES=${shaders}"
            -DHEADER=gl/shader_sources.h -DPREFIX=view_shader_ -DBARE=${MARROW_EMBED_BARE} -P ${MARROW_EMBED}
    DEPENDS ${shaders} ${MARROW_EMBED} VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
