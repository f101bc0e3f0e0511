# The flags of the instruction sets: src/isa/isa_<name>.c are the only files with flags of their own.
#
# No fused multiply-add: gcc uses it in spite of -ffp-contract=off (vfmsubadd in gcc 12, at -O3), so it must not have it.
# AVX-512 has its own, which the option does not turn off (and must come first, or clang turns off AVX-512 with it);
# tests/golden/instructions.py looks for those.

set(MARROW_ISA_FLAGS_avx2 -mno-fma -mavx2)
set(MARROW_ISA_FLAGS_avx512 -mno-fma -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=256)

# The instruction sets with flags that this build has.
set(MARROW_ISA_NAMES)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(MARROW_ISA_NAMES avx2 avx512)
endif()

# marrow_isa_flags(): for the targets of the folder that calls it.
function(marrow_isa_flags)
  foreach(name IN LISTS MARROW_ISA_NAMES)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/isa/isa_${name}.c
      PROPERTIES COMPILE_OPTIONS "${MARROW_ISA_FLAGS_${name}}")
  endforeach()
endfunction()
