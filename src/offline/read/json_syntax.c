/* A machine of six states and a stack of brackets.
 *
 *      value ──────────────────────────────┐
 *        │ '{'                             ▼
 *        ├────▶ first key ──'}'──────▶ after value ──',' in {──▶ key
 *        │          └─ string ':' ─▶ value   │  └────',' in [──▶ value
 *        └─'['▶ first element ──']'──────▶   └─ '}' ']' ─▶ after value, one level up
 *
 * The stack has a fixed height, so that no text, however deep, can use up the memory of
 * the thread.
 */
#include "offline/read/json_syntax.h"

#include "base/error.h"
#include "base/utf8.h"
#include "offline/read/text_place.h"

#include <string.h>

typedef enum state {
    STATE_VALUE,
    STATE_FIRST_ELEMENT, /* a value, or the end of an empty array */
    STATE_KEY,
    STATE_FIRST_KEY, /* a key, or the end of an empty object */
    STATE_AFTER_VALUE,
    STATE_END
} state;

typedef struct syntax {
    const char *text;
    size_t length;
    size_t at;
    state state;
    uint32_t depth;
    char closers[MRWI_JSON_DEPTH]; /* the bracket that each open level ends with */
    size_t token_count;
    mrw_status status;
    const char *problem; /* the first mistake; NULL while all is well */
    size_t problem_at;
} syntax;

static void fail(syntax *s, size_t at, const char *problem)
{
    if (s->problem != NULL)
        return;
    s->problem_at = at;
    s->status = MRW_ERR_JSON_SYNTAX;
    s->problem = problem;
}

static bool is_digit_at(const syntax *s, size_t at)
{
    return at < s->length && s->text[at] >= '0' && s->text[at] <= '9';
}

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static void read_escape(syntax *s)
{
    size_t start = s->at++;
    char c = s->at < s->length ? s->text[s->at] : '\0';
    if (c == 'u') {
        for (uint32_t i = 0; i < 4; i++) {
            s->at++;
            if (s->at >= s->length || !is_hex_digit(s->text[s->at])) {
                fail(s, start, "\\u must be followed by four hexadecimal digits");
                return;
            }
        }
    } else if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
        fail(s, start, "there is no such escape; a backslash itself is written \\\\");
        return;
    }
    s->at++;
}

static void read_string(syntax *s)
{
    size_t start = s->at++;
    while (s->at < s->length && s->problem == NULL) {
        char c = s->text[s->at];
        if (c == '"') {
            s->at++;
            s->token_count++;
            return;
        }
        if (c == '\\') {
            read_escape(s);
        } else if ((unsigned char)c < 0x20) {
            fail(s, s->at, "a control character in a string must be escaped, as \\n is");
        } else {
            size_t size = mrwi_utf8_character(s->text + s->at, s->length - s->at);
            if (size == 0)
                fail(s, s->at, "the text is not valid UTF-8");
            s->at += size;
        }
    }
    fail(s, start, "the string does not end");
}

static void read_digits(syntax *s, size_t start)
{
    if (!is_digit_at(s, s->at))
        fail(s, start, "this is no number as JSON writes them");
    while (is_digit_at(s, s->at))
        s->at++;
}

static void read_number(syntax *s)
{
    size_t start = s->at;
    if (s->text[s->at] == '-')
        s->at++;
    if (s->at < s->length && s->text[s->at] == '0') {
        s->at++;
        if (is_digit_at(s, s->at))
            fail(s, start, "a number must not begin with 0 and another digit");
    } else {
        read_digits(s, start);
    }
    if (s->problem == NULL && s->at < s->length && s->text[s->at] == '.') {
        s->at++;
        read_digits(s, start);
    }
    if (s->problem == NULL && s->at < s->length && (s->text[s->at] | 0x20) == 'e') {
        s->at++;
        if (s->at < s->length && (s->text[s->at] == '+' || s->text[s->at] == '-'))
            s->at++;
        read_digits(s, start);
    }
    s->token_count++;
}

static bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void read_literal(syntax *s)
{
    static const char *const literals[] = {"true", "false", "null"};
    size_t start = s->at;
    while (s->at < s->length && is_word_character(s->text[s->at]))
        s->at++;
    s->token_count++;
    for (uint32_t i = 0; i < 3; i++)
        if (s->at - start == strlen(literals[i]) &&
            memcmp(s->text + start, literals[i], s->at - start) == 0)
            return;
    fail(s, start, "expected a value: an object, array, string, number, true, false or null");
}

static void open_level(syntax *s, char closer, state next)
{
    if (s->depth == MRWI_JSON_DEPTH) {
        fail(s, s->at, "the text is nested too deeply; 128 levels are the limit");
        s->status = MRW_ERR_LIMIT;
        return;
    }
    s->closers[s->depth++] = closer;
    s->token_count++;
    s->at++;
    s->state = next;
}

static void close_level(syntax *s)
{
    s->depth--;
    s->at++;
    s->state = s->depth == 0 ? STATE_END : STATE_AFTER_VALUE;
}

static void read_value(syntax *s)
{
    char c = s->text[s->at];
    if (c == '{') {
        open_level(s, '}', STATE_FIRST_KEY);
        return;
    }
    if (c == '[') {
        open_level(s, ']', STATE_FIRST_ELEMENT);
        return;
    }
    if (s->depth == 0)
        fail(s, s->at, "expected '{' or '[' at the start of the document");
    else if (c == '"')
        read_string(s);
    else if (c == '-' || is_digit_at(s, s->at))
        read_number(s);
    else if (c == ']' || c == '}')
        fail(s, s->at, "expected a value; the comma or colon before it has none");
    else
        read_literal(s);
    s->state = STATE_AFTER_VALUE;
}

static void skip_space(syntax *s)
{
    while (s->at < s->length && (s->text[s->at] == ' ' || s->text[s->at] == '\t' ||
                                 s->text[s->at] == '\n' || s->text[s->at] == '\r'))
        s->at++;
}

static void read_key(syntax *s)
{
    if (s->text[s->at] != '"') {
        fail(s, s->at, "expected a property name in double quotes");
        return;
    }
    read_string(s);
    skip_space(s);
    if (s->at >= s->length || s->text[s->at] != ':') {
        fail(s, s->at, "expected ':' after the property name");
        return;
    }
    s->at++;
    s->state = STATE_VALUE;
}

static void read_after_value(syntax *s)
{
    char closer = s->closers[s->depth - 1];
    if (s->text[s->at] == closer) {
        close_level(s);
    } else if (s->text[s->at] == ',') {
        s->at++;
        s->state = closer == '}' ? STATE_KEY : STATE_VALUE;
    } else {
        fail(s, s->at,
             closer == '}' ? "expected ',' or '}' after the property"
                           : "expected ',' or ']' after the element");
    }
}

static void step(syntax *s)
{
    bool closes = s->depth > 0 && s->text[s->at] == s->closers[s->depth - 1];
    switch (s->state) {
    case STATE_FIRST_ELEMENT:
    case STATE_VALUE:
        if (s->state == STATE_FIRST_ELEMENT && closes)
            close_level(s);
        else
            read_value(s);
        break;
    case STATE_FIRST_KEY:
    case STATE_KEY:
        if (s->state == STATE_FIRST_KEY && closes)
            close_level(s);
        else
            read_key(s);
        break;
    case STATE_AFTER_VALUE:
        read_after_value(s);
        break;
    case STATE_END:
        fail(s, s->at, "there is more text after the end of the document");
        break;
    }
}

mrw_status mrwi_json_check_syntax(const char *text, size_t length, size_t *out_token_count,
                                  mrw_error *out_error)
{
    syntax s = {.text = text, .length = length, .state = STATE_VALUE};
    for (;;) {
        skip_space(&s);
        if (s.problem != NULL || s.at >= s.length)
            break;
        step(&s);
    }
    if (s.state != STATE_END)
        fail(&s, s.length, "the text ends too early");
    if (s.problem != NULL) {
        mrwi_fail(out_error, s.status, "JSON", "%s", s.problem);
        mrwi_text_set_place(text, s.problem_at, out_error);
        return s.status;
    }
    *out_token_count = s.token_count;
    return MRW_OK;
}
