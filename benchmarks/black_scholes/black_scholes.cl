/* Prices of European options by Black and Scholes: calls and puts, some options for each work-item. The normal
 * distribution is by Abramowitz and Stegun's polynomial (26.2.17). */
float below(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    const float p =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float *price, __global const float *strike, __global const float *years,
                            __global float *call, __global float *put, const float rate, const float volatility,
                            const uint each) {
    for (uint n = 0; n < each; n++) {
#ifdef SEQUENTIAL
        const uint i = get_global_id(0) * each + n;
#else
        const uint i = n * get_global_size(0) + get_global_id(0);
#endif
        const float s = price[i], x = strike[i], t = years[i], deviation = volatility * sqrt(t);
        const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
        const float d2 = d1 - deviation, later = x * exp(-rate * t);
        const float c = s * below(d1) - later * below(d2);
        call[i] = c;
        put[i] = c + later - s;
    }
}
