/**
 * What a test needs beyond Node and the dependencies, such as a browser. Where it is missing the tests are listed as
 * skipped; with TRIGRAPH_REQUIRE_ALL=1, as in `.ci/run`, they run all the same, and fail.
 *
 * The test of all-MiniLM-L6-v2 is not among these: no registry of packages has the model, so it may be skipped there too.
 */
import process from "node:process";

/** Whether to skip the tests of something: it is missing and may be. */
export function mayBeSkipped(isThere: boolean): boolean {
  return !isThere && process.env.TRIGRAPH_REQUIRE_ALL !== "1";
}
