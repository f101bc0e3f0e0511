// Marrow: linear blend skinning. marrow/shader.h and docs/shaders.md say how to use this text.
#define MRWI_LINEAR

