# BVH against two other readers: three.js on real files, and one in Python that was written from the
# format's description, on real files and on made ones.
add_executable(bvh_frames bvh_frames.c)
target_link_libraries(bvh_frames PRIVATE marrow_offline marrow_flags)
marrow_script_test(conformance_bvh_reader
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/bvh_reader.py $<TARGET_FILE:bvh_frames>)
if(NODE_PROGRAM)
  # What comes of BVH as a .glb is valid.
  add_executable(bvh_to_glb bvh_to_glb.c)
  target_link_libraries(bvh_to_glb PRIVATE marrow_offline marrow_flags)
  set(folder ${CMAKE_CURRENT_LIST_DIR})
  set(glb ${CMAKE_CURRENT_BINARY_DIR}/tangled.glb)
  add_test(NAME conformance_bvh_to_glb COMMAND bvh_to_glb ${folder}/tangled.bvh ${glb})
  set_tests_properties(conformance_bvh_to_glb PROPERTIES FIXTURES_SETUP bvh_glb)
  marrow_script_test(conformance_bvh_validator ${NODE_PROGRAM} ${folder}/validator_clean.mjs ${glb})
  set_tests_properties(conformance_bvh_validator PROPERTIES FIXTURES_REQUIRED bvh_glb)
  marrow_script_test(conformance_bvh_threejs
    ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/threejs_bvh.mjs $<TARGET_FILE:bvh_frames> --shared)
endif()
