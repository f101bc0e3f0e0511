# The cases of the shared folder, by the shared folder's own checker.
marrow_script_test(conformance_cases
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/cases.py $<TARGET_FILE:marrow_tool>)
