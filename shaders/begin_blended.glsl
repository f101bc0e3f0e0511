// Marrow: linear blend and dual quaternion skinning, mixed. marrow/shader.h and docs/shaders.md say
// how to use this text.
#define MRWI_LINEAR
#define MRWI_DUAL_QUAT
#define MRWI_BLENDED

