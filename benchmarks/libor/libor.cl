/* The LIBOR market model: a path of forward rates, which random numbers change from step to step, and what a portfolio of
 * swaptions is worth at its end. A work-item computes a path; shock[step][path]. Exponentials are polynomials, and no
 * multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

struct market {
    float period, shocks_root; /* of a rate, in years, and its square root */
    float volatility[RATES];
    int maturity[SWAPTIONS];
    float swap_rate[SWAPTIONS];
};

float exponential(float x) {
    float sum = 1.0f;
    for (int n = 10; n > 0; n--) sum = 1.0f + x * sum / n;
    return sum;
}

/* The rates at the last step. */
void path(__constant struct market *m, __global const float *shock, const int paths, float *rate) {
    for (int step = 0; step < STEPS; step++) {
        const float moved = m->shocks_root * shock[step * paths];
        float drift = 0.0f;
        for (int i = step + 1; i < RATES; i++) {
            const float volatility = m->volatility[i - step - 1], times = m->period * volatility;
            drift += times * rate[i] / (1.0f + m->period * rate[i]);
            rate[i] *= exponential(times * drift + volatility * (moved - 0.5f * times));
        }
    }
}

/* The same, and how much each rate moves if all first ones do. */
void path_and_slopes(__constant struct market *m, __global const float *shock, const int paths, float *rate,
                     float *slope) {
    for (int step = 0; step < STEPS; step++) {
        const float moved = m->shocks_root * shock[step * paths];
        float drift = 0.0f, drift_slope = 0.0f;
        for (int i = step + 1; i < RATES; i++) {
            const float volatility = m->volatility[i - step - 1], times = m->period * volatility;
            const float growth = 1.0f + m->period * rate[i];
            drift += times * rate[i] / growth;
            drift_slope += times * slope[i] / (growth * growth);
            const float factor = exponential(times * drift + volatility * (moved - 0.5f * times));
            slope[i] = factor * (slope[i] + rate[i] * times * drift_slope);
            rate[i] *= factor;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
portfolio(__constant struct market *m, __global const float *shock, __global float *value, const int paths,
          const float first_rate) {
    const int i = get_global_id(0);
    float rate[RATES], bond[RATES - STEPS], annuity[RATES - STEPS], price = 1.0f, sum = 0.0f, worth = 0.0f;
    if (i >= paths) return;

    for (int n = 0; n < RATES; n++) rate[n] = first_rate;
    path(m, shock + i, paths, rate);

    for (int n = 0; n < RATES - STEPS; n++) {
        price /= 1.0f + m->period * rate[STEPS + n];
        sum += m->period * price;
        bond[n] = price;
        annuity[n] = sum;
    }
    for (int n = 0; n < SWAPTIONS; n++) {
        const int last = m->maturity[n] - 1;
        const float swap = bond[last] + m->swap_rate[n] * annuity[last] - 1.0f;
        if (swap < 0.0f) worth -= 100.0f * swap;
    }
    for (int n = 0; n < STEPS; n++) worth /= 1.0f + m->period * rate[n];
    value[i] = worth;
}

/* Its value, and how much that changes with the first rates. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
portfolio_and_slope(__constant struct market *m, __global const float *shock, __global float *value,
                    __global float *value_slope, const int paths, const float first_rate) {
    const int i = get_global_id(0);
    float rate[RATES], slope[RATES], bond[RATES - STEPS], bond_slope[RATES - STEPS], annuity[RATES - STEPS],
        annuity_slope[RATES - STEPS];
    float price = 1.0f, price_slope = 0.0f, sum = 0.0f, sum_slope = 0.0f, worth = 0.0f, worth_slope = 0.0f;
    if (i >= paths) return;

    for (int n = 0; n < RATES; n++) {
        rate[n] = first_rate;
        slope[n] = 1.0f;
    }
    path_and_slopes(m, shock + i, paths, rate, slope);

    for (int n = 0; n < RATES - STEPS; n++) {
        const float growth = 1.0f + m->period * rate[STEPS + n];
        price /= growth;
        price_slope = (price_slope - price * m->period * slope[STEPS + n]) / growth;
        sum += m->period * price;
        sum_slope += m->period * price_slope;
        bond[n] = price;
        bond_slope[n] = price_slope;
        annuity[n] = sum;
        annuity_slope[n] = sum_slope;
    }
    for (int n = 0; n < SWAPTIONS; n++) {
        const int last = m->maturity[n] - 1;
        const float swap = bond[last] + m->swap_rate[n] * annuity[last] - 1.0f;
        if (swap < 0.0f) {
            worth -= 100.0f * swap;
            worth_slope -= 100.0f * (bond_slope[last] + m->swap_rate[n] * annuity_slope[last]);
        }
    }
    for (int n = 0; n < STEPS; n++) {
        const float growth = 1.0f + m->period * rate[n];
        worth_slope = (worth_slope - worth / growth * m->period * slope[n]) / growth;
        worth /= growth;
    }
    value[i] = worth;
    value_slope[i] = worth_slope;
}
