# BVH against two other readers: three.js on real files, and one in Python that was written from the
# format's description, on real files and on made ones.
add_executable(bvh_frames bvh_frames.c)
target_link_libraries(bvh_frames PRIVATE marrow_offline marrow_flags)
marrow_script_test(conformance_bvh_reader
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/bvh_reader.py $<TARGET_FILE:bvh_frames>)
if(NODE_PROGRAM)
  marrow_script_test(conformance_bvh_threejs
    ${NODE_PROGRAM} ${CMAKE_CURRENT_LIST_DIR}/threejs_bvh.mjs $<TARGET_FILE:bvh_frames> --shared)
endif()
