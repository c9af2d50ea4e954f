/* 2-D images: creation and queries. Their pixels lie in shared memory row by row, without gaps unless the
 * program's own memory (CL_MEM_USE_HOST_PTR) has some. */
#include "runtime/opencl/image.h"

#include "runtime/opencl/connection.h"
#include "runtime/opencl/dispatch.h"
#include "runtime/opencl/pixel.h"
#include "runtime/opencl/storage.h"

#include <string.h>

/* Copies rows from the program's pixels. */
static void copy_rows(cl_mem image, const uint8_t *from, size_t row_pitch) {
    size_t row = image->image.width * image->image.element_bytes;
    for (size_t y = 0; y < image->image.height; y++)
        memcpy(image->bytes + y * image->image.row_pitch, from + y * row_pitch, row);
}

/* Computes the shape of an image of a supported format. row_pitch: as given; 0: no gaps. */
static cl_int check_shape(struct image_shape *s, const cl_image_format *format, size_t width, size_t height,
                          size_t row_pitch, const void *host_ptr) {
    *s = (struct image_shape){*format, width, height, 0, pixel_bytes(format)};
    if (width == 0 || height == 0 || width > IMAGE_MAX_WIDTH || height > IMAGE_MAX_HEIGHT)
        return CL_INVALID_IMAGE_SIZE;
    s->row_pitch = width * s->element_bytes;
    if (row_pitch == 0) return CL_SUCCESS;
    if (host_ptr == NULL || row_pitch < s->row_pitch || row_pitch % s->element_bytes != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    s->row_pitch = row_pitch;
    return CL_SUCCESS;
}

static cl_mem create_image(cl_context context, cl_mem_flags flags, const struct image_shape *shape,
                           void *host_ptr, cl_int *errcode_ret) {
    cl_int status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    struct image_shape stored = *shape;
    if (!(flags & CL_MEM_USE_HOST_PTR)) stored.row_pitch = stored.width * stored.element_bytes;
    size_t size = stored.row_pitch * stored.height;
    if (size / stored.height != stored.row_pitch || size > connection_device()->max_buffer_bytes)
        return objects_fail(errcode_ret, status);
    cl_mem m = storage_create(OBJECT_IMAGE, context, flags, size, host_ptr, &status);
    if (m == NULL) return objects_fail(errcode_ret, status);
    m->image = stored;
    if (flags & CL_MEM_COPY_HOST_PTR) copy_rows(m, host_ptr, shape->row_pitch);
    objects_succeed(errcode_ret);
    return m;
}

static bool is_image_type(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
           type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE1D ||
           type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

/* Checks in the standard's order, and creates the image. `pitch_code` is the code for a wrong row pitch. */
static cl_mem check_and_create(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                               const cl_image_desc *d, void *host_ptr, cl_int pitch_code,
                               cl_int *errcode_ret) {
    struct image_shape shape;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (!storage_flags_valid(flags)) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    cl_int supported = pixel_check(format);
    if (supported == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) return objects_fail(errcode_ret, supported);
    if (d == NULL || !is_image_type(d->image_type))
        return objects_fail(errcode_ret, CL_INVALID_IMAGE_DESCRIPTOR);
    if (d->image_type != CL_MEM_OBJECT_IMAGE2D) {
        unsupported_say("images other than 2-D ones (clGetSupportedImageFormats lists none)");
        return objects_fail(errcode_ret, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    }
    if (d->num_mip_levels != 0 || d->num_samples != 0 || d->buffer != NULL || d->image_slice_pitch != 0)
        return objects_fail(errcode_ret, CL_INVALID_IMAGE_DESCRIPTOR);
    if (supported != CL_SUCCESS) return objects_fail(errcode_ret, supported);
    cl_int status =
        check_shape(&shape, format, d->image_width, d->image_height, d->image_row_pitch, host_ptr);
    if (status == CL_INVALID_IMAGE_DESCRIPTOR) status = pitch_code;
    if (status == CL_SUCCESS) status = storage_check(flags, host_ptr);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    return create_image(context, flags, &shape, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                        const cl_image_desc *description, void *host_ptr,
                                        cl_int *errcode_ret) {
    DRIVER_LOCKED;
    return check_and_create(context, flags, format, description, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR,
                            errcode_ret);
}

/* A function of OpenCL 3.0, which defines no properties. */
cl_mem CL_API_CALL driver_clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                                                      cl_mem_flags flags, const cl_image_format *format,
                                                      const cl_image_desc *description, void *host_ptr,
                                                      cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (properties != NULL && properties[0] != 0) return objects_fail(errcode_ret, CL_INVALID_PROPERTY);
    return check_and_create(context, flags, format, description, host_ptr, CL_INVALID_IMAGE_DESCRIPTOR,
                            errcode_ret);
}

/* A function of OpenCL 1.1. */
cl_mem CL_API_CALL driver_clCreateImage2D(cl_context context, cl_mem_flags flags,
                                          const cl_image_format *format, size_t width, size_t height,
                                          size_t row_pitch, void *host_ptr, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    const cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                             .image_width = width,
                             .image_height = height,
                             .image_row_pitch = row_pitch};
    return check_and_create(context, flags, format, &d, host_ptr, CL_INVALID_IMAGE_SIZE, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateImage3D(cl_context context, cl_mem_flags flags,
                                          const cl_image_format *format, size_t width, size_t height,
                                          size_t depth, size_t row_pitch, size_t slice_pitch, void *host_ptr,
                                          cl_int *errcode_ret) {
    DRIVER_LOCKED;
    const cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                             .image_width = width,
                             .image_height = height,
                             .image_depth = depth,
                             .image_row_pitch = row_pitch,
                             .image_slice_pitch = slice_pitch};
    return check_and_create(context, flags, format, &d, host_ptr, CL_INVALID_IMAGE_SIZE, errcode_ret);
}

cl_int CL_API_CALL driver_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                     cl_mem_object_type type, cl_uint num_entries,
                                                     cl_image_format *formats, cl_uint *num_formats) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    if (!storage_flags_valid(flags) || !is_image_type(type) || (num_entries == 0 && formats != NULL))
        return CL_INVALID_VALUE;
    cl_uint count = type == CL_MEM_OBJECT_IMAGE2D ? pixel_formats(formats, formats ? num_entries : 0) : 0;
    if (num_formats != NULL) *num_formats = count;
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clGetImageInfo(cl_mem image, cl_image_info name, size_t room, void *value,
                                         size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(image, OBJECT_IMAGE)) return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_IMAGE_FORMAT: return query_bytes(&q, &image->image.format, sizeof image->image.format);
    case CL_IMAGE_ELEMENT_SIZE: QUERY_ANSWER(&q, size_t, image->image.element_bytes);
    case CL_IMAGE_ROW_PITCH: QUERY_ANSWER(&q, size_t, image->image.row_pitch);
    case CL_IMAGE_WIDTH: QUERY_ANSWER(&q, size_t, image->image.width);
    case CL_IMAGE_HEIGHT: QUERY_ANSWER(&q, size_t, image->image.height);
    case CL_IMAGE_SLICE_PITCH:
    case CL_IMAGE_DEPTH:
    case CL_IMAGE_ARRAY_SIZE: QUERY_ANSWER(&q, size_t, 0);
    case CL_IMAGE_BUFFER: QUERY_ANSWER(&q, cl_mem, NULL);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES: QUERY_ANSWER(&q, cl_uint, 0);
    default: return CL_INVALID_VALUE;
    }
}
