# What `cmake --install` puts where. Filled in with the package.
