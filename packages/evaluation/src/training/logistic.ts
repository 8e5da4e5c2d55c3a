import { create, lusolveDependencies } from "mathjs";

const { lusolve } = create(lusolveDependencies);

/** Observations: `x` is [n × d], row by row; `y` is 0 or 1; `weight` counts an observation as so many. */
export interface Observations {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly weight: Float64Array;
  readonly width: number;
}

export interface LogisticFit {
  /** [d] */
  readonly coefficients: Float64Array;
  readonly intercept: number;
  /** Steps taken. */
  readonly steps: number;
}

/** Newton's steps after which the fit is given up; it needs some eight. */
const MAX_STEPS = 50;

/** Largest change of a coefficient at which the fit has converged. */
const TOLERANCE = 1e-8;

/**
 * Logistic regression with an L2 penalty, by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani,
 * Friedman 2009, section 4.4.1): minimises Σ w · ln(1 + e^(±z)) + penalty · |β|². The intercept is not penalised.
 * Deterministic. O(n · d²) a step.
 *
 * @throws Error when it does not converge
 */
export function fitLogistic(observations: Observations, penalty: number): LogisticFit {
  const { width } = observations;
  // The last place is the intercept's.
  let beta = new Float64Array(width + 1);
  let loss = lossAt(observations, beta, penalty);
  for (let step = 1; step <= MAX_STEPS; step++) {
    const direction = newtonStep(observations, beta, penalty);
    // A full step may overshoot far from the minimum; the loss is convex, so a shorter one goes down.
    let scale = 1;
    let next = moved(beta, direction, scale);
    let nextLoss = lossAt(observations, next, penalty);
    while (nextLoss > loss && scale > 1e-6) {
      scale /= 2;
      next = moved(beta, direction, scale);
      nextLoss = lossAt(observations, next, penalty);
    }
    const change = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
    beta = next;
    loss = nextLoss;
    if (change < TOLERANCE) return { coefficients: beta.slice(0, width), intercept: beta[width], steps: step };
  }
  throw new Error(`fitLogistic: expected to converge within ${MAX_STEPS} steps, did not.`);
}

function moved(beta: Float64Array, direction: Float64Array, scale: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(beta, (value, i) => value - scale * direction[i]);
}

/** (Hessian)⁻¹ · gradient. */
function newtonStep({ x, y, weight, width }: Observations, beta: Float64Array, penalty: number): Float64Array {
  const size = width + 1;
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  for (let n = 0; n < y.length; n++) {
    const start = n * width;
    const p = 1 / (1 + Math.exp(-logOdds(x, start, width, beta)));
    const slope = weight[n] * (p - y[n]);
    const curvature = weight[n] * p * (1 - p);
    for (let i = 0; i < width; i++) {
      const xi = x[start + i];
      gradient[i] += slope * xi;
      const scaled = curvature * xi;
      const row = i * size;
      for (let j = 0; j <= i; j++) hessian[row + j] += scaled * x[start + j];
      hessian[width * size + i] += scaled;
    }
    gradient[width] += slope;
    hessian[width * size + width] += curvature;
  }
  for (let i = 0; i < width; i++) {
    gradient[i] += 2 * penalty * beta[i];
    hessian[i * size + i] += 2 * penalty;
  }
  const matrix = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => hessian[Math.max(i, j) * size + Math.min(i, j)]),
  );
  return Float64Array.from((lusolve(matrix, [...gradient]) as number[][]).flat());
}

function lossAt({ x, y, weight, width }: Observations, beta: Float64Array, penalty: number): number {
  let loss = 0;
  for (let n = 0; n < y.length; n++) {
    const z = logOdds(x, n * width, width, beta);
    // ln(1 + e^z) − y z, without overflow.
    loss += weight[n] * (Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - y[n] * z);
  }
  for (let i = 0; i < width; i++) loss += penalty * beta[i] * beta[i];
  return loss;
}

function logOdds(x: Float64Array, start: number, width: number, beta: Float64Array): number {
  let z = beta[width];
  for (let i = 0; i < width; i++) z += x[start + i] * beta[i];
  return z;
}
