// Carries the precompiled header that the rooms share; see Room.cmake.
