#include <marrow/base.h>

const char *mrw_status_name(mrw_status status)
{
    switch (status) {
#define MRW_STATUS(name, number, text)                                                             \
    case name:                                                                                     \
        return #name;
#include <marrow/status.def>
#undef MRW_STATUS
    default:
        return "MRW_ERR_UNKNOWN";
    }
}

const char *mrw_status_text(mrw_status status)
{
    switch (status) {
#define MRW_STATUS(name, number, text)                                                             \
    case name:                                                                                     \
        return text;
#include <marrow/status.def>
#undef MRW_STATUS
    default:
        return "unknown status";
    }
}

const char *mrw_version(void)
{
    return MRW_VERSION_STRING;
}
