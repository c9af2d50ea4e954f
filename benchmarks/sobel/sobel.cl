/* Sobel's filter: how much the brightness changes at a pixel, 255 at most. Pixels of the rim are 0. */
__kernel void sobel(__global const uchar *image, __global uchar *edge, const int width, const int height) {
    const int x = get_global_id(0), y = get_global_id(1), i = y * width + x;

    if (x < width && y < height) {
        int strength = 0;
        if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
            __global const uchar *above = image + i - width, *below = image + i + width;
            const int horizontal = above[1] - above[-1] + 2 * (image[i + 1] - image[i - 1]) + below[1] - below[-1];
            const int vertical = below[-1] - above[-1] + 2 * (below[0] - above[0]) + below[1] - above[1];
            strength = min(abs(horizontal) + abs(vertical), 255u);
        }
        edge[i] = strength;
    }
}
