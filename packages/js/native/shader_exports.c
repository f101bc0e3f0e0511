#include "exchange.h"

const char *shader_source(mrw_shader_kind kind, mrw_shader_dialect dialect)
{
    return mrw_shader_source(kind, dialect);
}

const char *shader_version_line(mrw_shader_dialect dialect)
{
    return mrw_shader_version_line(dialect);
}
