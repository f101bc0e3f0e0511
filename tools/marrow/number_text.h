/* Numbers in and out of text, the same in every locale. */
#ifndef MARROW_TOOL_NUMBER_TEXT_H
#define MARROW_TOOL_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The whole text as a decimal number ("-1.5", "2e-3"); false for anything else, for "nan" and
 * "inf", and for numbers that no double holds. */
bool cli_parse_number(const char *text, double *out_value);
/* The same for a distance: metres, or millimetres, centimetres or metres with "mm", "cm" or "m"
 * right behind the number ("0.1mm"). */
bool cli_parse_metres(const char *text, double *out_metres);
/* The whole text as decimal digits, at most `maximum`. */
bool cli_parse_count(const char *text, uint32_t maximum, uint32_t *out_value);

#define CLI_FLOAT_SIZE 24

/* The fewest of seven to nine significant digits that read back as the same float, without
 * trailing zeros: "0.1", "1", "-2.5e-07". Minus zero is "0". `value` must be finite. Returns
 * the length; writes a NUL after it. */
size_t cli_format_float(float value, char out[CLI_FLOAT_SIZE]);

/* Radians of the same direction, within one turn; 0 for more than a milliard turns. */
float cli_radians(double degrees);

#endif
