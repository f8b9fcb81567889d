# Installation, and find_package(actlab) for programs that add their own activations: such a program links
# actlab::actlab, which is every library, and calls actlab_add_activation.
include(CMakePackageConfigHelpers)

add_library(actlab_all INTERFACE)
add_library(actlab::actlab ALIAS actlab_all)
target_link_libraries(actlab_all INTERFACE actlab_experiments)

set(libraries kernels framework models datasets experiments)
foreach(library ${libraries})
  set_target_properties(actlab_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
set_target_properties(actlab_all PROPERTIES EXPORT_NAME actlab)

list(TRANSFORM libraries PREPEND actlab_ OUTPUT_VARIABLE targets)
install(TARGETS actlab)
install(TARGETS ${targets} actlab_all EXPORT actlab)
# Include lines name a header from the project's root, here include/actlab. Headers of a library's or a device's own
# sources stay here, and so do folders without headers.
install(DIRECTORY ${libraries} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/actlab FILES_MATCHING PATTERN "*.h"
  REGEX "/(onednn|openblas|cuda|download|peers|configs|examples|tables)$" EXCLUDE)
install(DIRECTORY experiments/configs experiments/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/actlab
  PATTERN "build" EXCLUDE PATTERN "*.sh" EXCLUDE)

get_target_property(linked actlab_kernels LINK_LIBRARIES)
get_target_property(linked_by_datasets actlab_datasets LINK_LIBRARIES)
list(APPEND linked ${linked_by_datasets})
list(JOIN libraries ", " libraries_in_words)
list(JOIN libraries "|" libraries_pattern)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/actlab)
install(EXPORT actlab NAMESPACE actlab:: DESTINATION ${package} FILE actlab-targets.cmake)
configure_package_config_file(cmake/actlab-config.cmake.in ${PROJECT_BINARY_DIR}/actlab-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/actlab-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/actlab-config.cmake ${PROJECT_BINARY_DIR}/actlab-config-version.cmake
  cmake/ActlabAddActivation.cmake DESTINATION ${package})
