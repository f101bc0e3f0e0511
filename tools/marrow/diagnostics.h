/* What importing and building found odd, as one list: the scene's diagnostics, then the
 * character's. */
#ifndef MARROW_TOOL_DIAGNOSTICS_H
#define MARROW_TOOL_DIAGNOSTICS_H

#include "input.h"
#include "json_writer.h"

/* A member "diagnostics": an array of objects. */
void cli_diagnostics_json(cli_json *json, const cli_input *input);

/* A paragraph on stdout, or nothing if there are none. */
void cli_diagnostics_text(const cli_input *input);

#endif
