/* shader_texts FOLDER: writes every text that mrw_shader_source returns into a file, "glsl_linear"
 * and so on, for the tests that hand them to other programs. */
#include <marrow/shader.h>

#include <stdio.h>

static const char *const kinds[] = {"linear", "dual_quat", "blended"};

static bool write_text(const char *folder, const char *language, int kind,
                       mrw_shader_dialect dialect)
{
    const char *text = mrw_shader_source((mrw_shader_kind)kind, dialect);
    if (text == NULL)
        return kind == MRW_SHADER_BLENDED;
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s_%s", folder, language, kinds[kind]);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "%s cannot be written\n", path);
        return false;
    }
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: shader_texts FOLDER\n");
        return 2;
    }
    for (int kind = MRW_SHADER_LINEAR; kind <= MRW_SHADER_BLENDED; kind++)
        if (!write_text(argv[1], "glsl", kind, MRW_GLSL_330) ||
            !write_text(argv[1], "wgsl", kind, MRW_WGSL) ||
            !write_text(argv[1], "hlsl", kind, MRW_HLSL))
            return 1;
    return 0;
}
