/* A cell's state and the flow through a face. No multiply-add may be fused, so that every device gives the same
 * bits. */
#pragma OPENCL FP_CONTRACT OFF

#define VARIABLES 5
#define FACES     4
#define WING      (-1) /* in place of a neighbour: a face through which nothing flows */
#define FAR       (-2) /* a face to the undisturbed gas */
#define GAMMA     1.4f /* ratio of specific heats */
#define SMOOTHING 0.2f /* share of the artificial viscosity */

struct state {
    float variable[VARIABLES], velocity[3], speed, pressure, sound;
};

void derive(struct state *s) {
    for (int k = 0; k < 3; k++) s->velocity[k] = s->variable[1 + k] / s->variable[0];
    const float square = s->velocity[0] * s->velocity[0] + s->velocity[1] * s->velocity[1] +
                         s->velocity[2] * s->velocity[2];
    s->speed = sqrt(square);
    s->pressure = (GAMMA - 1.0f) * (s->variable[4] - 0.5f * s->variable[0] * square);
    s->sound = sqrt(GAMMA * s->pressure / s->variable[0]);
}

void load_state(struct state *s, __global const float *variable, const int stride) {
    for (int v = 0; v < VARIABLES; v++) s->variable[v] = variable[v * stride];
    derive(s);
}

/* Adds half of what flows through a face with this normal, whose length is the face's area. */
void add_half(float *flux, const struct state *s, const float *normal) {
    const float flow = s->velocity[0] * normal[0] + s->velocity[1] * normal[1] + s->velocity[2] * normal[2];
    flux[0] += 0.5f * (s->variable[0] * flow);
    for (int k = 0; k < 3; k++) flux[1 + k] += 0.5f * (s->variable[1 + k] * flow + s->pressure * normal[k]);
    flux[4] += 0.5f * ((s->variable[4] + s->pressure) * flow);
}
