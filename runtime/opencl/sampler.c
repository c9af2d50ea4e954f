/* Samplers. */
#include "runtime/opencl/sampler.h"

static void destroy_sampler(struct object *o) {
    objects_unuse(((cl_sampler)o)->context);
}

static cl_sampler create_sampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                                 cl_filter_mode filter, cl_int *errcode_ret) {
    bool repeats = addressing == CL_ADDRESS_REPEAT || addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (normalized > CL_TRUE || addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR) || (repeats && !normalized))
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    cl_sampler s = objects_create(OBJECT_SAMPLER, sizeof *s, destroy_sampler);
    if (s == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    s->context = context;
    s->normalized = normalized;
    s->addressing = addressing;
    s->filter = filter;
    objects_use(context);
    objects_succeed(errcode_ret);
    return s;
}

cl_sampler CL_API_CALL driver_clCreateSampler(cl_context context, cl_bool normalized,
                                              cl_addressing_mode addressing, cl_filter_mode filter,
                                              cl_int *errcode_ret) {
    DRIVER_LOCKED;
    return create_sampler(context, normalized, addressing, filter, errcode_ret);
}

/* A function of OpenCL 2.0. */
cl_sampler CL_API_CALL driver_clCreateSamplerWithProperties(cl_context context,
                                                            const cl_sampler_properties *properties,
                                                            cl_int *errcode_ret) {
    DRIVER_LOCKED;
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    for (size_t i = 0; properties != NULL && properties[i] != 0; i += 2) {
        switch (properties[i]) {
        case CL_SAMPLER_NORMALIZED_COORDS: normalized = (cl_bool)properties[i + 1]; break;
        case CL_SAMPLER_ADDRESSING_MODE: addressing = (cl_addressing_mode)properties[i + 1]; break;
        case CL_SAMPLER_FILTER_MODE: filter = (cl_filter_mode)properties[i + 1]; break;
        default: return objects_fail(errcode_ret, CL_INVALID_VALUE);
        }
    }
    return create_sampler(context, normalized, addressing, filter, errcode_ret);
}

uint32_t sampler_bits(const struct _cl_sampler *s) {
    static const uint32_t modes[] = {IMAGE_SAMPLER_ADDRESS_NONE, IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE,
                                     IMAGE_SAMPLER_ADDRESS_CLAMP, IMAGE_SAMPLER_ADDRESS_REPEAT,
                                     IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT};
    return modes[s->addressing - CL_ADDRESS_NONE] | (s->normalized ? IMAGE_SAMPLER_NORMALIZED : 0) |
           (s->filter == CL_FILTER_LINEAR ? IMAGE_SAMPLER_FILTER_LINEAR : IMAGE_SAMPLER_FILTER_NEAREST);
}

cl_int CL_API_CALL driver_clRetainSampler(cl_sampler sampler) {
    DRIVER_LOCKED;
    return objects_retain(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER);
}

cl_int CL_API_CALL driver_clReleaseSampler(cl_sampler sampler) {
    DRIVER_LOCKED;
    return objects_release(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER);
}

cl_int CL_API_CALL driver_clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room, void *value,
                                           size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(sampler, OBJECT_SAMPLER)) return CL_INVALID_SAMPLER;
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, sampler->object.references);
    case CL_SAMPLER_CONTEXT: QUERY_ANSWER(&q, cl_context, sampler->context);
    case CL_SAMPLER_NORMALIZED_COORDS: QUERY_ANSWER(&q, cl_bool, sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE: QUERY_ANSWER(&q, cl_addressing_mode, sampler->addressing);
    case CL_SAMPLER_FILTER_MODE: QUERY_ANSWER(&q, cl_filter_mode, sampler->filter);
    default: return CL_INVALID_VALUE;
    }
}
