import { defineConfig, type ViteUserConfig } from "vitest/config";

type TestOptions = NonNullable<ViteUserConfig["test"]>;

/**
 * How long a test or hook may take, in ms. Tests start processes and load frameworks, language models and compilers, which
 * takes many times as long on a busy machine: this is to end what hangs, not to tell what is slow.
 */
const TIMEOUT = 300_000;

/** The tests of one package. */
export function project(name: string, options: TestOptions = {}): ViteUserConfig {
  return defineConfig({
    test: { name, include: ["test/**/*.test.ts"], testTimeout: TIMEOUT, hookTimeout: TIMEOUT, ...options },
  });
}
