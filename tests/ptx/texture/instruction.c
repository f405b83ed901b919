// Takes instructions apart.
#include "texture.h"

int parse_instruction(struct instruction *i, const char *text) {
    char copy[96];
    memset(i, 0, sizeof *i);
    i->text = text, i->count = 1, i->gather = -1;
    snprintf(copy, sizeof copy, "%s", text);
    char *types[4] = { 0 };
    int n = 0;
    for (char *m = strtok(copy, "."); m; m = strtok(NULL, ".")) {
        if (!*i->opcode) {
            snprintf(i->opcode, sizeof i->opcode, "%s", m);
            continue;
        }
        size_t length = strlen(m);
        if (!strcmp(m, "base")) i->base = 1;
        else if (!strcmp(m, "level")) i->level = 1;
        else if (!strcmp(m, "grad")) i->grad = 1;
        else if (!strcmp(m, "cube") || !strcmp(m, "acube")) i->dimensions = 3, i->cube = 1, i->layered = *m == 'a';
        else if (!strcmp(m, "2dms") || !strcmp(m, "a2dms")) i->dimensions = 2, i->samples = 1, i->layered = *m == 'a';
        else if (m[length - 1] == 'd' && length <= 3 && m[length - 2] >= '1' && m[length - 2] <= '3') i->dimensions = m[length - 2] - '0', i->layered = *m == 'a';
        else if (!strcmp(m, "v2") || !strcmp(m, "v4")) i->count = m[1] - '0';
        else if (!strcmp(m, "trap") || !strcmp(m, "clamp") || !strcmp(m, "zero")) i->outside = *m;
        else if (!strcmp(m, "p")) i->by_element = 1;
        else if (*i->opcode == 's' && strchr("bus", *m) && m[1] >= '1' && m[1] <= '9') i->type = *m, i->bytes = atoi(m + 1) / 8;
        else if (!strcmp(i->opcode, "tld4") && length == 1) i->gather = (int)(strchr("rgba", *m) - "rgba");
        else if (strstr("add min max and or", m)) snprintf(i->operation, sizeof i->operation, "%s", m);
        else if ((*m == 'f' || *m == 'u' || *m == 's') && m[1] >= '1' && m[1] <= '9') types[n++ & 3] = m;
        else if (!strcmp(i->opcode, "txq") || !strcmp(i->opcode, "suq")) {
            if (strcmp(m, "b32") != 0) snprintf(i->question, sizeof i->question, "%s", m);
        }
    }
    if (!strcmp(i->opcode, "tex") || !strcmp(i->opcode, "tld4")) {
        if (n != 2) return 0;
        i->halves = !strncmp(types[0], "f16", 3);
        i->words = !strcmp(types[0], "f16x2") ? 2 : 4;
        i->whole = !strcmp(types[1], "s32");
    }
    return 1;
}
