import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files whose tests take a minute or more, one after the other: begun last, they would run on alone at the end. */
const LONG = ["/test/packed.test.ts", "/test/readme.test.ts", "/test/browser/browser.test.ts"];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // One pool of workers for all packages: cores are shared, not fought over. vitest would leave one to itself, which on
    // two cores is half of them: 625 s instead of 402.
    maxWorkers: "100%",
    sequence: { sequencer: LongFirst },
    projects: [
      "packages/*/vitest.config.ts",
      "examples/*/vitest.config.ts",
      "bench/vitest.config.ts",
      "soak/vitest.config.ts",
      "test/vitest.config.ts",
    ],
  },
});
