/* 2-D images (24 x 17) and samplers. An argument's name contains its order and type. */

constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

// launch: global 32 24 local 16 4
kernel void image_copy(read_only image2d_t rgba_float, write_only image2d_t rgba_float_out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (at.x < get_image_width(rgba_float) && at.y < get_image_height(rgba_float))
        write_imagef(rgba_float_out, at, read_imagef(rgba_float, exact, at) * 2 + 1);
}

// launch: global 24 17 local 24 1
kernel void image_formats(read_only image2d_t rgba_unorm8, read_only image2d_t bgra_unorm8, read_only image2d_t r_float,
                          read_only image2d_t a_snorm16, read_only image2d_t argb_unorm8, global float4 *out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.y * 24 + at.x] = read_imagef(rgba_unorm8, exact, at) + 2 * read_imagef(bgra_unorm8, exact, at) +
                            read_imagef(r_float, exact, at) + 3 * read_imagef(a_snorm16, exact, at) +
                            7 * read_imagef(argb_unorm8, at);
}

// launch: global 24 17 local 24 1
kernel void image_other_orders(read_only image2d_t rg_snorm16, read_only image2d_t intensity_float,
                               read_only image2d_t r_half, write_only image2d_t rg_half_out, global float4 *out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float4 a = read_imagef(rg_snorm16, exact, at);
    out[at.y * 24 + at.x] = a + read_imagef(intensity_float, exact, at) + read_imagef(r_half, exact, at);
    write_imagef(rg_half_out, at, a.yxzw * 100);
}

// launch: global 24 17 local 8 1
kernel void image_integers(read_only image2d_t rgba_int16, read_only image2d_t r_uint32, read_only image2d_t a_uint8,
                           write_only image2d_t rgba_int8_out, write_only image2d_t rgba_uint16_out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const int4 a = read_imagei(rgba_int16, exact, at);
    const uint4 b = read_imageui(r_uint32, exact, at), c = read_imageui(a_uint8, exact, at - 1);
    write_imagei(rgba_int8_out, at, a / 100 + as_int4(c));
    write_imageui(rgba_uint16_out, at.xy, (b >> 8) + c);
}

// launch: global 24 17 local 24 1
kernel void image_writes(write_only image2d_t bgra_unorm8_out, write_only image2d_t r_float_out, write_only image2d_t a_unorm16_out) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float4 c = (float4)(at.x, at.y, at.x + at.y, 12) / 25;
    write_imagef(bgra_unorm8_out, at, c * 1.1f - 0.05f);
    write_imagef(r_float_out, at, c * 1000);
    write_imagef(a_unorm16_out, at, c.wzyx);
}

// launch: global 24 8 local 12 4
kernel void image_addressing(read_only image2d_t rgba_unorm8, sampler_t nearest_clamp, sampler_t nearest_edge,
                             sampler_t nearest_repeat, global float4 *out) {
    const float2 at = (float2)(get_global_id(0) - 6.3f, get_global_id(1) * 3 - 4.4f);
    const int i = get_global_id(1) * 24 + get_global_id(0);
    out[3 * i] = read_imagef(rgba_unorm8, nearest_clamp, at);
    out[3 * i + 1] = read_imagef(rgba_unorm8, nearest_edge, at);
    out[3 * i + 2] = read_imagef(rgba_unorm8, nearest_repeat, at / (float2)(12, 8.5f));
}

// launch: global 24 8 local 12 4
kernel void image_filtering(read_only image2d_t rgba_float, sampler_t linear_clamp, sampler_t linear_edge,
                            sampler_t linear_repeat, global float4 *out) {
    const float2 at = (float2)(get_global_id(0) - 6.25f, get_global_id(1) * 3 - 4.5f);
    const int i = get_global_id(1) * 24 + get_global_id(0);
    out[3 * i] = read_imagef(rgba_float, linear_clamp, at);
    out[3 * i + 1] = read_imagef(rgba_float, linear_edge, at);
    out[3 * i + 2] = read_imagef(rgba_float, linear_repeat, at / (float2)(12, 8.5f));
}

// launch: global 24 8 local 12 4
kernel void image_mirrored(read_only image2d_t rgba_float, sampler_t nearest_mirror, sampler_t linear_mirror,
                           global float4 *out) {
    const float2 at = (float2)(get_global_id(0) - 6.25f, get_global_id(1) * 3 - 4.5f) / (float2)(12, 8.5f);
    const int i = get_global_id(1) * 24 + get_global_id(0);
    out[2 * i] = read_imagef(rgba_float, nearest_mirror, at);
    out[2 * i + 1] = read_imagef(rgba_float, linear_mirror, at);
}

// launch: global 1 local 1
kernel void image_queries(read_only image2d_t rgba_unorm8, write_only image2d_t r_float_out, global int *out) {
    out[0] = get_image_width(rgba_unorm8);
    out[1] = get_image_height(r_float_out);
    out[2] = get_image_dim(rgba_unorm8).y;
    out[3] = get_image_channel_order(rgba_unorm8);
    out[4] = get_image_channel_data_type(r_float_out);
    out[5] = get_image_channel_data_type(rgba_unorm8);
    out[6] = get_image_channel_order(r_float_out);
    write_imagef(r_float_out, get_image_dim(r_float_out) - 1, (float4)(out[0], out[1], 0, 0));
}
