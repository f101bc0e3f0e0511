// Marrow: dual quaternion skinning. marrow/shader.h and docs/shaders.md say how to use this text.
#define MRWI_DUAL_QUAT

