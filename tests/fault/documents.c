#include "fault/documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_CAPACITY 16384

/* --- putting documents together
 * -------------------------------------------------------------------- */

static void encode_base64(const uint8_t *bytes, size_t size_bytes, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size_bytes; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < size_bytes ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < size_bytes ? bytes[i + 2] : 0;
        for (uint32_t d = 0; d < 4; d++)
            *out++ = d <= size_bytes - i ? digits[bits >> (18 - 6 * d) & 63] : '=';
    }
    *out = '\0';
}

/* The text with double quotes for single ones, and with `buffer` in the place of "@". */
static char *expand(const char *text, const char *buffer)
{
    char *out = malloc(TEXT_CAPACITY);
    size_t size = 0;
    for (; *text != '\0' && size < TEXT_CAPACITY - 1; text++) {
        if (*text == '@')
            size += (size_t)snprintf(out + size, TEXT_CAPACITY - size, "%s", buffer);
        else
            out[size++] = *text == '\'' ? '"' : *text;
    }
    out[size] = '\0';
    return out;
}

static document as_text(const char *text, const void *data, size_t size_bytes)
{
    static char uri[TEXT_CAPACITY / 2];
    strcpy(uri, ",\"uri\":\"data:application/octet-stream;base64,");
    encode_base64(data, size_bytes, uri + strlen(uri));
    strcat(uri, "\"");
    char *expanded = expand(text, uri);
    document doc = {(uint8_t *)expanded, strlen(expanded)};
    return doc;
}

static size_t put_u32(uint8_t *out, size_t at, size_t value)
{
    for (uint32_t i = 0; i < 4; i++)
        out[at + i] = (uint8_t)(value >> (8 * i));
    return at + 4;
}

static size_t put_chunk(uint8_t *out, size_t at, const char *type, const void *bytes,
                        size_t size_bytes)
{
    size_t padded = (size_bytes + 3) / 4 * 4;
    at = put_u32(out, at, padded);
    memcpy(out + at, type, 4);
    memset(out + at + 4, type[0] == 'J' ? ' ' : 0, padded);
    memcpy(out + at + 4, bytes, size_bytes);
    return at + 4 + padded;
}

static document as_binary(const char *text, const void *data, size_t size_bytes)
{
    char *expanded = expand(text, "");
    document doc = {malloc(TEXT_CAPACITY), 12};
    doc.size_bytes = put_chunk(doc.bytes, doc.size_bytes, "JSON", expanded, strlen(expanded));
    doc.size_bytes = put_chunk(doc.bytes, doc.size_bytes, "BIN", data, size_bytes);
    memcpy(doc.bytes, "glTF", 4);
    put_u32(doc.bytes, 4, 2);
    put_u32(doc.bytes, 8, doc.size_bytes);
    free(expanded);
    return doc;
}

void document_free(document *doc)
{
    free(doc->bytes);
    doc->bytes = NULL;
    doc->size_bytes = 0;
}

/* --- skinned
 * ---------------------------------------------------------------------------------------- */

typedef struct skinned_data {
    float positions[15];
    float normals[15];
    float weights[20];
    uint8_t joints[20];
    uint8_t more_joints[20];
    uint8_t more_weights[20];
    uint16_t strip[6];
    float inverse_binds[48];
    float times[3];
    float rotations[12];
    float spline[18];
    uint8_t picture[8];
} skinned_data;

static const skinned_data skinned = {
    .positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5f, 2, 0},
    .normals = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
    .weights = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.25f, 0.25f, 0, 0.25f, 0.25f, 0.25f, 0, 1},
    .joints = {0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 1, 2, 0, 2, 0, 0, 0},
    .more_joints = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
    .more_weights = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64},
    .strip = {0, 1, 2, 3, 4, 0},
    .inverse_binds = {1, 0, 0, 0, 0, 1,  0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1,  0, 0,
                      0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1},
    .times = {0, 0.5f, 1},
    .rotations = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 1, 0},
    .spline = {0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0},
    .picture = {0x89, 'P', 'N', 'G', 13, 10, 26, 10},
};

#define OFFSET(type, member) ((unsigned)offsetof(type, member))
#define SIZE(type, member) ((unsigned)sizeof(((type *)NULL)->member))

/* A bufferView of a member. */
static size_t put_view(char *out, size_t at, unsigned offset, unsigned size_bytes)
{
    return at + (size_t)sprintf(out + at, "%s{'buffer':0,'byteOffset':%u,'byteLength':%u}",
                                at > 0 ? "," : "", offset, size_bytes);
}

static void skinned_text(char *out)
{
    char views[2048];
    size_t at = 0;
#define VIEW(member)                                                                               \
    at = put_view(views, at, OFFSET(skinned_data, member), SIZE(skinned_data, member))
    VIEW(positions);
    VIEW(normals);
    VIEW(weights);
    VIEW(joints);
    VIEW(more_joints);
    VIEW(more_weights);
    VIEW(strip);
    VIEW(inverse_binds);
    VIEW(times);
    VIEW(rotations);
    VIEW(spline);
    VIEW(picture);
#undef VIEW
    snprintf(
        out, TEXT_CAPACITY,
        "{'asset':{'version':'2.0','generator':'tests'},'scene':0,'scenes':[{'nodes':[0,4]}],"
        "'nodes':[{'name':'root','children':[1],'translation':[0,0.5,0]},"
        "{'name':'upper','children':[2],'translation':[0,1,0]},"
        "{'name':'lower','children':[3],'translation':[0,1,0],'rotation':[0,0,0.6,0.8]},"
        "{'name':'sword','mesh':1,'scale':[1,2,-1]},{'name':'body','mesh':0,'skin':0}],"
        "'buffers':[{'byteLength':%u@}],'bufferViews':[%s],'accessors':["
        "{'bufferView':0,'componentType':5126,'count':5,'type':'VEC3'},"
        "{'bufferView':1,'componentType':5126,'count':5,'type':'VEC3'},"
        "{'bufferView':2,'componentType':5126,'count':5,'type':'VEC4'},"
        "{'bufferView':3,'componentType':5121,'count':5,'type':'VEC4'},"
        "{'bufferView':4,'componentType':5121,'count':5,'type':'VEC4'},"
        "{'bufferView':5,'componentType':5121,'normalized':true,'count':5,'type':'VEC4'},"
        "{'bufferView':6,'componentType':5123,'count':5,'type':'SCALAR'},"
        "{'bufferView':7,'componentType':5126,'count':3,'type':'MAT4'},"
        "{'bufferView':8,'componentType':5126,'count':3,'type':'SCALAR'},"
        "{'bufferView':9,'componentType':5126,'count':3,'type':'VEC4'},"
        "{'bufferView':8,'componentType':5126,'count':2,'type':'SCALAR'},"
        "{'bufferView':10,'componentType':5126,'count':6,'type':'VEC3'}],"
        "'meshes':[{'name':'body','primitives':[{'mode':5,'indices':6,'material':0,'attributes':{"
        "'POSITION':0,'NORMAL':1,'WEIGHTS_0':2,'JOINTS_0':3,'JOINTS_1':4,'WEIGHTS_1':5}}]},"
        "{'primitives':[{'mode':6,'attributes':{'POSITION':0,'NORMAL':1}}]}],"
        "'skins':[{'name':'skin','joints':[0,1,2],'inverseBindMatrices':7}],"
        "'materials':[{'name':'skin','pbrMetallicRoughness':{'baseColorFactor':[1,0.5,0.25,1],"
        "'baseColorTexture':{'index':0}}}],'textures':[{'source':0}],"
        "'images':[{'bufferView':11,'mimeType':'image/png'}],"
        "'animations':[{'name':'bend','samplers':[{'input':8,'output':9},"
        "{'input':10,'output':11,'interpolation':'CUBICSPLINE'},"
        "{'input':8,'output':9,'interpolation':'STEP'}],'channels':["
        "{'sampler':0,'target':{'node':1,'path':'rotation'}},"
        "{'sampler':1,'target':{'node':2,'path':'translation'}},"
        "{'sampler':2,'target':{'node':2,'path':'rotation'}}]}]}",
        (unsigned)sizeof(skinned_data), views);
}

document document_skinned_text(void)
{
    char text[TEXT_CAPACITY];
    skinned_text(text);
    return as_text(text, &skinned, sizeof(skinned));
}

document document_skinned_binary(void)
{
    char text[TEXT_CAPACITY];
    skinned_text(text);
    return as_binary(text, &skinned, sizeof(skinned));
}

/* --- morph
 * ------------------------------------------------------------------------------------------- */

/* Position, normal and colour of a vertex side by side. */
typedef struct morph_vertex {
    int16_t position[4];
    int8_t normal[4];
    uint8_t color[4];
} morph_vertex;

typedef struct morph_data {
    morph_vertex vertices[4];
    float smile[12];
    float sparse_values[3];
    uint8_t sparse_index[4];
    uint8_t indices[8];
    float times[2];
    float weights[4];
} morph_data;

static const morph_data morph = {
    .vertices = {{{0, 0, 0, 0}, {0, 0, 127, 0}, {255, 0, 0, 255}},
                 {{1, 0, 0, 0}, {0, 0, 127, 0}, {0, 255, 0, 255}},
                 {{0, 1, 0, 0}, {0, 0, 127, 0}, {0, 0, 255, 255}},
                 {{1, 1, 0, 0}, {0, 0, 127, 0}, {128, 128, 128, 128}}},
    .smile = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
    .sparse_values = {5, 6, 7},
    .sparse_index = {2},
    .indices = {0, 1, 2, 255, 1, 3, 2, 0},
    .times = {0.25f, 2},
    .weights = {0, 1, 1, 0.5f},
};

document document_morph_text(void)
{
    char text[TEXT_CAPACITY];
    char views[2048];
    size_t at = (size_t)sprintf(views, "{'buffer':0,'byteLength':%u,'byteStride':%u}",
                                SIZE(morph_data, vertices), (unsigned)sizeof(morph_vertex));
#define VIEW(member) at = put_view(views, at, OFFSET(morph_data, member), SIZE(morph_data, member))
    VIEW(smile);
    VIEW(sparse_values);
    VIEW(sparse_index);
    VIEW(indices);
    VIEW(times);
    VIEW(weights);
#undef VIEW
    snprintf(
        text, sizeof(text),
        "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_mesh_quantization'],"
        "'extensionsRequired':['KHR_mesh_quantization'],'buffers':[{'byteLength':%u@}],"
        "'bufferViews':[%s],'accessors':["
        "{'bufferView':0,'componentType':5122,'count':4,'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':8,'componentType':5120,'normalized':true,'count':4,"
        "'type':'VEC3'},"
        "{'bufferView':0,'byteOffset':12,'componentType':5121,'normalized':true,'count':4,"
        "'type':'VEC4'},"
        "{'bufferView':1,'componentType':5126,'count':4,'type':'VEC3'},"
        "{'componentType':5126,'count':4,'type':'VEC3','sparse':{'count':1,"
        "'indices':{'bufferView':3,'componentType':5121},'values':{'bufferView':2}}},"
        "{'bufferView':4,'componentType':5121,'count':7,'type':'SCALAR'},"
        "{'bufferView':5,'componentType':5126,'count':2,'type':'SCALAR'},"
        "{'bufferView':6,'componentType':5126,'count':4,'type':'SCALAR'}],"
        "'meshes':[{'extras':{'targetNames':['smile','\\u0066rown']},'weights':[0.25,0],"
        "'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'COLOR_0':2},'indices':5,'mode':5,"
        "'targets':[{'POSITION':3},{'POSITION':4}]}]}],"
        "'nodes':[{'children':[1],'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1]},"
        "{'mesh':0,'weights':[0.5,0.5]}],"
        "'animations':[{'samplers':[{'input':6,'output':7}],'channels':[{'sampler':0,"
        "'target':{'node':1,'path':'weights'}}]}]}",
        (unsigned)sizeof(morph_data), views);
    return as_text(text, &morph, sizeof(morph));
}

/* --- motion
 * --------------------------------------------------------------------------------------- */

/* The last number of a line is one digit: a number that is cut is still a number. */
static const char motion[] =
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0.5 0\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    "\tJOINT Left Leg\n\t{\n\t\tOFFSET 1.36306 -1.79463 0.83929\n"
    "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -7e-1 0\n\t\t}\n\t}\n"
    "\tJOINT Neck\n\t{\n\t\tOFFSET 0 .2 0\n\t\tCHANNELS 0\n\t}\n}\n"
    "ROOT Ball\n{\n\tCHANNELS 2 Yposition Wrotation\n}\n"
    "MOTION\nFrames: 4\nFrame Time: 1\n"
    "0 1 2 10 20 30 -40.5 50 60 7.25 0\n"
    "0.5 1.5 2.5 179 20 30 -140.5 50 60 6.25 0\n"
    "1e0 2e0 3E+0 -179 nan 30 -240.5 50 60 5.25 0\n"
    "1.125 2.25 3.0625 12345678901234567890123 -.5 360 0 0 0 4.25 1\n";

document document_motion_text(void)
{
    document doc = {malloc(sizeof(motion) - 1), sizeof(motion) - 1};
    memcpy(doc.bytes, motion, doc.size_bytes);
    return doc;
}
