/* Materials, textures and images in a .glb. A picture is embedded if it is there and is what
 * glTF allows, PNG or JPEG; each gets one texture. */
#include "offline/export/glb.h"

#include <string.h>

/* The media type that the first bytes tell, or NULL for what glTF does not allow. */
static const char *media_type(const mrw_scene_image *image)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t jpeg[] = {0xff, 0xd8, 0xff};
    if (image->bytes == NULL)
        return NULL;
    if (image->size_bytes >= sizeof(png) && memcmp(image->bytes, png, sizeof(png)) == 0)
        return "image/png";
    if (image->size_bytes >= sizeof(jpeg) && memcmp(image->bytes, jpeg, sizeof(jpeg)) == 0)
        return "image/jpeg";
    return NULL;
}

bool mrwi_glb_number_images(mrwi_glb *glb)
{
    const mrw_scene *scene = glb->scene;
    glb->image_numbers = mrwi_glb_alloc(glb, scene->image_count, sizeof(*glb->image_numbers));
    if (glb->failed)
        return false;
    uint32_t number = 0;
    for (uint32_t i = 0; i < scene->image_count; i++)
        glb->image_numbers[i] = media_type(&scene->images[i]) != NULL ? number++ : MRWI_GLB_NONE;
    glb->image_count = number;
    return true;
}

static float clamp_to_unit(float value)
{
    return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

/* What is glTF's default is left out. */
static void write_surface(mrwi_glb *glb, const mrw_scene_material *material)
{
    static const float white[] = {1, 1, 1, 1};
    mrwi_json_text *json = &glb->json;
    float color[4];
    for (uint32_t c = 0; c < 4; c++)
        color[c] = clamp_to_unit(material->base_color[c]);
    mrwi_json_put_open(json, "pbrMetallicRoughness", '{');
    if (memcmp(color, white, sizeof(color)) != 0)
        mrwi_json_put_floats(json, "baseColorFactor", color, 4);
    int32_t image = material->base_color_image;
    if (image >= 0 && glb->image_numbers[image] != MRWI_GLB_NONE) {
        mrwi_json_put_open(json, "baseColorTexture", '{');
        mrwi_json_put_unsigned(json, "index", glb->image_numbers[image]);
        mrwi_json_put_close(json, '}');
    }
    if (material->metallic != 1.0f)
        mrwi_json_put_float(json, "metallicFactor", material->metallic);
    if (material->roughness != 1.0f)
        mrwi_json_put_float(json, "roughnessFactor", material->roughness);
    mrwi_json_put_close(json, '}');
}

static void write_material(mrwi_glb *glb, const mrw_scene_material *material)
{
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (material->name[0] != '\0')
        mrwi_json_put_string(json, "name", material->name);
    write_surface(glb, material);
    if (material->alpha_blend) {
        mrwi_json_put_string(json, "alphaMode", "BLEND");
    } else if (material->alpha_cutoff > 0.0f) {
        mrwi_json_put_string(json, "alphaMode", "MASK");
        mrwi_json_put_float(json, "alphaCutoff", material->alpha_cutoff);
    }
    if (material->double_sided)
        mrwi_json_put_bool(json, "doubleSided", true);
    mrwi_json_put_close(json, '}');
}

static void write_image(mrwi_glb *glb, const mrw_scene_image *image)
{
    mrwi_json_text *json = &glb->json;
    mrwi_json_put_open(json, NULL, '{');
    if (image->name[0] != '\0')
        mrwi_json_put_string(json, "name", image->name);
    mrwi_json_put_string(json, "mimeType", media_type(image));
    mrwi_json_put_unsigned(json, "bufferView",
                           mrwi_glb_add_view(glb, image->bytes, image->size_bytes, 0));
    mrwi_json_put_close(json, '}');
}

void mrwi_glb_write_materials(mrwi_glb *glb)
{
    const mrw_scene *scene = glb->scene;
    mrwi_json_text *json = &glb->json;
    if (scene->material_count > 0) {
        mrwi_json_put_open(json, "materials", '[');
        for (uint32_t i = 0; i < scene->material_count; i++)
            write_material(glb, &scene->materials[i]);
        mrwi_json_put_close(json, ']');
    }
    if (glb->image_count == 0)
        return;
    mrwi_json_put_open(json, "textures", '[');
    for (uint32_t i = 0; i < glb->image_count; i++) {
        mrwi_json_put_open(json, NULL, '{');
        mrwi_json_put_unsigned(json, "source", i);
        mrwi_json_put_close(json, '}');
    }
    mrwi_json_put_close(json, ']');
    mrwi_json_put_open(json, "images", '[');
    for (uint32_t i = 0; i < scene->image_count; i++)
        if (glb->image_numbers[i] != MRWI_GLB_NONE)
            write_image(glb, &scene->images[i]);
    mrwi_json_put_close(json, ']');
}
