# Needs no built pages.
marrow_script_test(web_harness ${NODE_PROGRAM} ${CMAKE_CURRENT_SOURCE_DIR}/harness.mjs ${web_folder})
set_tests_properties(web_harness PROPERTIES RESOURCE_LOCK chromium COST 100 TIMEOUT 120)
