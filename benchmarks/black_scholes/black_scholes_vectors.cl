/* Prices of European options by Black and Scholes, four in a row at a time; the normal distribution is by Abramowitz
 * and Stegun's polynomial (26.2.17). */
float4 below(float4 d) {
    const float4 k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    const float4 p =
        k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float4 tail = 0.39894228f * exp(-0.5f * d * d) * p;
    return select(tail, 1.0f - tail, d > 0.0f);
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
        const float4 s = vload4(i, price), x = vload4(i, strike), t = vload4(i, years);
        const float4 deviation = volatility * sqrt(t);
        const float4 d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
        const float4 d2 = d1 - deviation, later = x * exp(-rate * t);
        const float4 c = s * below(d1) - later * below(d2);
        vstore4(c, i, call);
        vstore4(c + later - s, i, put);
    }
}
