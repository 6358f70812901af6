/* Steps of flows: each function does what a method of the library does in NumPy, to which tests hold it. Vectors are
   written out, as long as the processor's, so that nothing is left to the compiler. */
#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
#define LANES 8 /* numbers of a vector */
#define ROWS 4  /* neurons at a time: four vectors each stay in registers */
#elif defined(__AVX__)
#define LANES 4
#define ROWS 2
#else
#define LANES 2
#define ROWS 2
#endif
const long lanes = LANES;
#define INLINE static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 8") for
typedef double V __attribute__((vector_size(8 * LANES)));
typedef long long I __attribute__((vector_size(8 * LANES)));
typedef signed char B __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef double U __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); /* those anywhere in memory */
#define AT(p) (*(U *)(p))
#define POSITIVE(z) ((I)(0 - (z)) >> 63) /* all bits where z > 0 */
#define CHOICE(on, yes, no) ((V)(((I)(yes) & (on)) | ((I)(no) & ~(on))))
#define LENGTH(z) ((V)((I)(z) & 0x7fffffffffffffffLL))
#define PANEL (4 * LANES)
#define WIDE (16 / LANES) /* vectors of a neuron's coordinates at a time */
#define ROUND 6755399441055744.0 /* 1.5 * 2^52: what is added to it is rounded to a whole number */

INLINE V taken(const double *from, long left) {
    V some = {0};
    if (left >= LANES) return AT(from);
    memcpy(&some, from, left * sizeof(double));
    return some;
}

INLINE void put(double *to, V what, long left) {
    if (left >= LANES) AT(to) = what;
    else memcpy(to, &what, left * sizeof(double));
}

/* exp x and exp x - 1, for |x| above 708 as of 708: 2^n times a polynomial through Chebyshev's points, right to 1e-16. */
INLINE V exponential(V x, V *less_one) {
    x = CHOICE(POSITIVE(-708 - x), (V){0} - 708, CHOICE(POSITIVE(x - 708), (V){0} + 708, x));
    V t = x * 1.4426950408889634074 + ROUND, n = t - ROUND;
    V r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    V p = r + r * r * (0.5000000000000001 + r * (0.16666666666666669 + r * (0.04166666666662413
        + r * (0.008333333333330062 + r * (0.0013888888917213717 + r * (0.00019841269863053618
        + r * (2.4801521295954376e-05 + r * (2.7557268459997064e-06 + r * (2.7620088445409746e-07
        + r * 2.510038549551032e-08)))))))));
    V power = (V)((I)((V){0} + 1) + ((I)t << 52));
    *less_one = (power - 1) + power * p;
    return power + power * p;
}

/* ReLU networks of two layers: a panel of four vectors of points and a few neurons at a time, whose pre-activations stay
   in registers. code: for each neuron and k < LANES the signs of four points, k, k + LANES, ... of the panel. */
INLINE void neurons(int rows, long d, const double *x, const double *w, const double *a, V *f, unsigned char *code) {
    V z[ROWS][4] = {0};
    for (long k = 0; k < d; k++)
        UNROLLED (int r = 0; r < rows; r++)
            UNROLLED (int q = 0; q < 4; q++) z[r][q] += w[r * d + k] * AT(x + PANEL * k + LANES * q);
    UNROLLED (int r = 0; r < rows; r++) {
        I bits = {0};
        UNROLLED (int q = 0; q < 4; q++) {
            I on = POSITIVE(z[r][q]);
            f[q] += a[r] * (V)((I)z[r][q] & on);
            bits |= on & (1 << q);
        }
        *(B *)(code + LANES * r) = __builtin_convertvector(bits, B);
    }
}

typedef struct { /* columns: the points of a panel, d x PANEL, panel by panel; points: in rows of stride numbers */
    long panels, m, d, stride, n;
    const double *columns, *points, *y;
    double *f, *r, *v; /* outputs and what each pulls, a number for each place in a panel; m x stride */
    unsigned char *code;
} Network;

void outputs(const Network *net, const double *theta) {
    const long m = net->m, d = net->d;
    const double *w = theta, *a = theta + m * d, *x = net->columns;
    unsigned char *code = net->code;
    for (long p = 0; p < net->panels; p++, x += PANEL * d, code += LANES * m) {
        V sum[4] = {0};
        long j = 0;
        for (; j + ROWS <= m; j += ROWS) neurons(ROWS, d, x, w + j * d, a + j, sum, code + LANES * j);
        for (; j < m; j++) neurons(1, d, x, w + j * d, a + j, sum, code + LANES * j);
        for (int q = 0; q < 4; q++) AT(net->f + PANEL * p + LANES * q) = sum[q];
    }
}

/* v_j += sum of r_i x_i over the points of a panel that neuron j hears, by tables of the 16 sums of each four points.
   x: the panel's points, rows of stride numbers, of which wide vectors are taken. */
INLINE void heard(int wide, long m, long stride, const double *x, const double *r, const unsigned char *code, double *v) {
    V table[LANES][16][WIDE];
    for (int g = 0; g < LANES; g++)
        for (int c = 0; c < wide; c++) {
            table[g][0][c] = (V){0};
            for (int q = 0; q < 4; q++) {
                V one = r[g + LANES * q] * AT(x + (g + LANES * q) * stride + LANES * c);
                for (int k = 0; k < 1 << q; k++) table[g][(1 << q) + k][c] = table[g][k][c] + one;
            }
        }
    for (long j = 0; j < m; j++, v += stride, code += LANES) {
        V sum[WIDE];
        UNROLLED (int c = 0; c < wide; c++) sum[c] = AT(v + LANES * c);
        UNROLLED (int g = 0; g < LANES; g++)
            UNROLLED (int c = 0; c < wide; c++) sum[c] += table[g][code[g]][c];
        UNROLLED (int c = 0; c < wide; c++) AT(v + LANES * c) = sum[c];
    }
}

/* Scale times of_w = a_j v_j and of_a = w_j . v_j, where the codes are those of theta. */
void pulls(const Network *net, const double *theta, double scale, double *answer) {
    const long m = net->m, d = net->d, stride = net->stride;
    const double *w = theta, *a = theta + m * d, *x = net->points, *r = net->r;
    const unsigned char *code = net->code;
    V top = {0};
    double most = 0, *v = net->v, *of_w = answer, *of_a = answer + m * d;
    memset(v, 0, m * stride * sizeof *v);
    for (long i = 0; i < PANEL * net->panels; i += LANES) top = CHOICE(POSITIVE(LENGTH(AT(r + i)) - top), LENGTH(AT(r + i)), top);
    for (int l = 0; l < LANES; l++) most = most < top[l] ? top[l] : most;
    for (long p = 0; p < net->panels; p++, x += PANEL * stride, r += PANEL, code += LANES * m) {
        long c = 0, i = 0;
        while (i < PANEL && fabs(r[i]) <= 1e-20 * most) i++; /* as in BlockedGradient: lost in rounding */
        if (i == PANEL) continue;
        for (; c + 16 <= stride; c += 16) heard(WIDE, m, stride, x + c, r, code, v + c);
        for (; c < stride; c += LANES) heard(1, m, stride, x + c, r, code, v + c);
    }
    for (long j = 0; j < m; j++, w += d, v += stride, of_w += d) {
        double sum = 0;
        for (long k = 0; k < d; k++) {
            sum += w[k] * v[k];
            of_w[k] = scale * a[j] * v[k];
        }
        of_a[j] = scale * sum;
    }
}

/* moved = theta - rate times the gradient of ln of the mean of exp(-y_i f_i), with slopes -y_i exp(-y_i f_i) over their
   sum. Whether it is finite. */
long descent(const Network *net, const double *theta, double scale, double rate, double *moved) {
    const long n = net->n, size = net->m * (net->d + 1);
    double *r = net->r, least = INFINITY, all = 0;
    V sum = {0}, low = (V){0} + INFINITY;
    outputs(net, theta);
    for (long i = 0; i < n; i++) r[i] = scale * net->y[i] * net->f[i];
    for (long i = 0; i + LANES <= n; i += LANES) low = CHOICE(POSITIVE(low - AT(r + i)), AT(r + i), low);
    for (int l = 0; l < LANES; l++) least = low[l] < least ? low[l] : least;
    for (long i = n - n % LANES; i < n; i++) least = r[i] < least ? r[i] : least;
    for (long i = 0; i < n; i += LANES) {
        V z = taken(r + i, n - i);
        sum += 0 * z;
        put(r + i, exponential(least - z, &z), n - i);
    }
    V every = {0};
    for (long i = 0; i < n; i += LANES) every += taken(r + i, n - i);
    for (int l = 0; l < LANES; l++) all += every[l];
    for (long i = 0; i < n; i++) r[i] *= -net->y[i] / all;
    pulls(net, theta, -rate * scale, moved);
    for (long k = 0; k < size; k += LANES) {
        V z = taken(moved + k, size - k) + taken(theta + k, size - k);
        put(moved + k, z, size - k);
        sum += 0 * z;
    }
    for (int l = 0; l < LANES; l++)
        if (sum[l] != 0) return 0;
    return 1;
}

/* sin x and cos x for |x| < 10^5: by fdlibm's polynomials, after a quarter's multiple is taken off in three parts. */
INLINE void waves(V x, V *sine, V *cosine) {
    V t = x * 0.63661977236758134308 + ROUND, n = t - ROUND;
    V r = ((x - n * 1.57079632673412561417) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
    V z = r * r, half = 0.5 * z, one = 1 - half;
    V s = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
    V c = one + (((1 - one) - half) + z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09
        + z * -1.13596475577881948265e-11))))));
    I q = (I)t, odd = -(q & 1);
    *sine = (V)((I)CHOICE(odd, c, s) ^ ((q & 2) << 62));
    *cosine = (V)((I)CHOICE(odd, s, c) ^ (((q + 1) & 2) << 62));
}

/* Rows of the real basis on the circle, 1, then sqrt(2) times cos x, sin x, ..., cos kx, sin kx. */
INLINE void basis(int k, V c, V s, V *b) {
    V re = c, im = s, next;
    b[0] = (V){0} + 1;
    UNROLLED (int i = 1; i <= k; i++, re = next) {
        b[2 * i - 1] = 1.4142135623730951 * re;
        b[2 * i] = 1.4142135623730951 * im;
        next = re * c - im * s;
        im = im * c + re * s;
    }
}

/* J' and its derivatives at m particles of one measure; rows of theta and of the answer lie stride apart. */
INLINE void measure(int k, int d, long m, long stride, long power, double penalty, const double *theta,
                    const double *signs, const double *target, double *memory, double *answer) {
    const int n = 2 * k + 1, n2 = d == 2 ? n : 1;
    V sums[17 * 17] = {0}, first[17], second[17] = {0}, sine, cosine;
    double g[17 * 17];
    second[0] = (V){0} + 1;
    for (long i = 0; i < m; i += LANES) {
        V r = taken(theta + i, m - i), mass = (power == 2 ? r * r : r) / (double)m;
        if (signs) mass *= taken(signs + i, m - i);
        for (int e = 0; e < d; e++) {
            waves(taken(theta + (1 + e) * stride + i, m - i), &sine, &cosine);
            AT(memory + 4 * i + 2 * LANES * e) = cosine;
            AT(memory + 4 * i + 2 * LANES * e + LANES) = sine;
            basis(k, cosine, sine, e ? second : first);
        }
        UNROLLED (int p = 0; p < n; p++) {
            V weighed = mass * first[p];
            UNROLLED (int q = 0; q < n2; q++) sums[p * n2 + q] += weighed * second[q];
        }
    }
    for (int p = 0; p < n * n2; p++) {
        g[p] = -target[p];
        for (int l = 0; l < LANES; l++) g[p] += sums[p][l];
    }
    for (long i = 0; i < m; i += LANES) {
        V rows[3] = {0};
        for (int e = 0; e < d; e++)
            basis(k, AT(memory + 4 * i + 2 * LANES * e), AT(memory + 4 * i + 2 * LANES * e + LANES), e ? second : first);
        UNROLLED (int p = 0; p < n; p++) {
            V u = {0}, turned = {0};
            const int turn = p % 2 ? -(p + 1) / 2 : p / 2; /* b'_p is so many times the other of its pair */
            UNROLLED (int q = 0; q < n2; q++) u += g[p * n2 + q] * second[q];
            UNROLLED (int q = 1; q < n2; q++)
                turned += (q % 2 ? -(q + 1) / 2 : q / 2) * g[p * n2 + q] * second[q % 2 ? q + 1 : q - 1];
            rows[0] += first[p] * u;
            if (p) rows[1] += turn * first[p % 2 ? p + 1 : p - 1] * u;
            rows[2] += first[p] * turned;
        }
        for (int e = 0; e <= d; e++) {
            if (signs) rows[e] *= taken(signs + i, m - i);
            put(answer + e * stride + i, e ? rows[e] : rows[0] + penalty, m - i);
        }
    }
}

/* So for measures side by side; memory: 4m numbers, rounded up to vectors. */
void variations(long k, long d, long count, long m, long power, double penalty, const double *theta,
                       const double *signs, const double *target, double *memory, double *answer) {
    for (long s = 0; s < count; s++, theta += m, answer += m)
        if (k == 2 && d == 2) measure(2, 2, m, count * m, power, penalty, theta, signs, target, memory, answer);
        else measure(k, d, m, count * m, power, penalty, theta, signs, target, memory, answer);
}

/* Steps of conic descent from theta, as many as stay finite and near; moved: two states of memory, rows: one. Those taken. */
long descents(long steps, long k, long d, long count, long m, long power, double penalty, double alpha,
                     double beta, long retraction, double *theta, const double *signs, const double *target,
                     double *memory, double *rows, double *moved) {
    const long all = count * m;
    for (long done = 0; done < steps; done++) {
        V far = {0};
        variations(k, d, count, m, power, penalty, theta, signs, target, memory, rows);
        for (long i = 0; i < all; i += LANES) {
            V r = taken(theta + i, all - i), by = taken(rows + i, all - i), spare;
            if (retraction == 0) r *= exponential(-2 * alpha * by, &spare);
            else if (retraction == 1) r *= 1 - 2 * alpha * by;
            else r = (V)((I)(r - alpha * by) & POSITIVE(r - alpha * by));
            put(moved + i, r, all - i);
            far = CHOICE(POSITIVE(-2 * alpha * by - 708), (V){0} + 1, far + 0 * by);
        }
        for (long i = all; i < (1 + d) * all; i += LANES) {
            V place = taken(theta + i, (1 + d) * all - i) - beta * taken(rows + i, (1 + d) * all - i);
            put(moved + i, place, (1 + d) * all - i);
            far = CHOICE(POSITIVE(LENGTH(place) - 1e5), (V){0} + 1, far + 0 * place);
        }
        for (int l = 0; l < LANES; l++)
            if (far[l] != 0) return done;
        memcpy(theta, moved, (1 + d) * all * sizeof *theta);
    }
    return steps;
}

/* The leaky ReLU whose kink is smoothed, as LeakyReLU.with_derivative: ln(1 + t) = 2 artanh(t/(2 + t)), t = tanh(|z|/2
   width), by a polynomial through Chebyshev's points, right to 1e-16. */
INLINE void kink(V z, double slope, double width, double shift, V *value, V *gate) {
    const I sign = (I){0} + (1LL << 63);
    const double kappa = (1 + slope) / 2, delta = (1 - slope) / 2;
    V m, size = LENGTH(z);
    exponential(size * (-1 / width), &m);
    V both = m / ((2 + m) * (4 + m)), t = -both * (4 + m), s = -both * (2 + m), q = s * s;
    V log = s * (2.0 + q * (0.6666666666668257 + q * (0.399999999952876 + q * (0.2857142911165716
        + q * (0.22222190861346283 + q * (0.1818285980047391 + q * (0.15363676248891633 + q * (0.13591305485579894
        + q * (0.09880789048764786 + q * 0.17780763826113302)))))))));
    *gate = kappa + delta * (V)((I)t | ((I)z & sign));
    *value = kappa * z + delta * (size - 2 * width * log) + shift;
}

void kinks(long size, double slope, double width, double shift, const double *z, double *value, double *gate) {
    for (long i = 0; i < size; i += LANES) {
        V one, two;
        kink(taken(z + i, size - i), slope, width, shift, &one, &two);
        put(value + i, one, size - i);
        put(gate + i, two, size - i);
    }
}
