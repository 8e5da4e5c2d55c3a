import { EvaluationError } from "../errors.js";
import { addGramInto, emptyGram } from "./gram.js";
import { nextTurn } from "./turn.js";

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

/** By so much of itself the loss may seem to rise by rounding. */
const ROUNDING = 1e-12;

/** Shortest part of a step that is tried. */
const LEAST_SCALE = 1e-6;

/** Rows between two turns of other tasks: a few tenths of a second at 300 columns. */
const ROWS_PER_TURN = 4096;

/**
 * Logistic regression with an L2 penalty, by Newton's method (iteratively reweighted least squares; Hastie, Tibshirani,
 * Friedman 2009, section 4.4.1): minimises Σ w · ln(1 + e^(±z)) + penalty · |β|². The intercept is not penalised.
 * Deterministic. O(n · d² + d³) a step.
 *
 * @param observations of both kinds: without them no intercept is best
 * @param penalty above 0, so that there is one minimum
 * @throws EvaluationError `TRAINING` when a column holds what is no finite number, or it does not converge
 */
export async function fitLogistic(
  observations: Observations,
  penalty: number,
  signal?: AbortSignal,
): Promise<LogisticFit> {
  const { width } = observations;
  // The last place is the intercept's.
  let beta = new Float64Array(width + 1);
  let loss = lossAt(observations, beta, penalty);
  if (!Number.isFinite(loss)) {
    throw new EvaluationError(
      "TRAINING",
      `fitLogistic: expected finite numbers in all columns, got a loss of ${loss}.`,
    );
  }
  const solve = await loadSolver();
  for (let step = 1; step <= MAX_STEPS; step++) {
    const direction = await newtonStep(observations, beta, penalty, solve, signal);
    // A full step may overshoot far from the minimum; the loss is convex, so a shorter one goes down.
    let scale = 1;
    let next = moved(beta, direction, scale);
    let nextLoss = lossAt(observations, next, penalty);
    while (nextLoss > loss * (1 + ROUNDING) && scale > LEAST_SCALE) {
      scale /= 2;
      next = moved(beta, direction, scale);
      nextLoss = lossAt(observations, next, penalty);
    }
    const change = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0);
    beta = next;
    loss = nextLoss;
    if (change < TOLERANCE) return { coefficients: beta.slice(0, width), intercept: beta[width], steps: step };
  }
  throw new EvaluationError(
    "TRAINING",
    `fitLogistic: expected to converge within ${MAX_STEPS} steps, did not. Raise the penalty.`,
  );
}

function moved(beta: Float64Array, direction: Float64Array, scale: number): Float64Array<ArrayBuffer> {
  return Float64Array.from(beta, (value, i) => value - scale * direction[i]);
}

/** (Hessian)⁻¹ · gradient. */
async function newtonStep(
  observations: Observations,
  beta: Float64Array,
  penalty: number,
  solve: Solver,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const { x, width, y } = observations;
  const { gradient, curvature } = slopesAt(observations, beta, penalty);
  const hessian = emptyGram(width);
  for (let first = 0; first < y.length; first += ROWS_PER_TURN) {
    await nextTurn(signal);
    addGramInto(x, width, curvature, first, Math.min(first + ROWS_PER_TURN, y.length), hessian);
  }
  await nextTurn(signal);
  const { values, stride } = hessian;
  const size = width + 1;
  for (let i = 0; i < width; i++) values[i * stride + i] += 2 * penalty;
  const matrix = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => values[Math.max(i, j) * stride + Math.min(i, j)]),
  );
  return Float64Array.from(solve(matrix, [...gradient]).flat());
}

/** x of A · x = b, [d × 1]. */
type Solver = (matrix: number[][], right: number[]) => number[][];

let solver: Promise<Solver> | undefined;

/** Loading mathjs takes seconds, and only training needs it. */
function loadSolver(): Promise<Solver> {
  return (solver ??= import("mathjs").then(({ create, lusolveDependencies }) => {
    const math = create(lusolveDependencies);
    return (matrix, right) => math.lusolve(matrix, right) as number[][];
  }));
}

/** The loss's gradient, [d + 1], and what each observation's row counts in its Hessian, [n]. */
function slopesAt(
  { x, y, weight, width }: Observations,
  beta: Float64Array,
  penalty: number,
): { gradient: Float64Array; curvature: Float64Array } {
  const gradient = Float64Array.from(beta, (value, i) => (i < width ? 2 * penalty * value : 0));
  const curvature = new Float64Array(y.length);
  for (let n = 0; n < y.length; n++) {
    const start = n * width;
    const p = 1 / (1 + Math.exp(-logOdds(x, start, width, beta)));
    const slope = weight[n] * (p - y[n]);
    curvature[n] = weight[n] * p * (1 - p);
    for (let i = 0; i < width; i++) gradient[i] += slope * x[start + i];
    gradient[width] += slope;
  }
  return { gradient, curvature };
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

/** z = b + x · β of one row. @param beta with the intercept in its last place */
export function logOdds(x: Float64Array, start: number, width: number, beta: Float64Array): number {
  let z = beta[width];
  for (let i = 0; i < width; i++) z += x[start + i] * beta[i];
  return z;
}
