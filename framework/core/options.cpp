#include "framework/core/options.h"
