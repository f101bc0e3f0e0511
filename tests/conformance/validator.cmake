# The Khronos glTF validator: what Marrow writes is valid, and what it says about files the validator says too.
if(NODE_PROGRAM)
  set(folder ${CMAKE_CURRENT_LIST_DIR})
  marrow_script_test(conformance_validator_demo ${NODE_PROGRAM} ${folder}/validator_clean.mjs ${demo_files})
  marrow_script_test(conformance_validator_codes
    ${NODE_PROGRAM} ${folder}/validator_codes.mjs $<TARGET_FILE:marrow_tool> --shared)
  set_tests_properties(conformance_validator_demo PROPERTIES FIXTURES_REQUIRED demo_files)
endif()
