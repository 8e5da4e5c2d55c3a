import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["**/dist/", "**/coverage/", "**/.turbo/", "**/.tmp/", "site/"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // An index into a typed array that the code has just bounded is no reason for a check or a comment.
      "@typescript-eslint/no-non-null-assertion": "off",
      // An interface is asynchronous for the sake of its slowest implementation; the others need not await.
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/prefer-readonly": "error",
      eqeqeq: "error",
    },
  },
  {
    // Libraries run in browsers and on the edge. What only Node has is imported by name, so that the build can tell
    // which entry reaches it.
    files: ["packages/*/src/**/*.ts"],
    rules: {
      "no-console": "error",
      "no-restricted-globals": [
        "error",
        { name: "process", message: 'Import it from "node:process", in code for Node alone.' },
        { name: "Buffer", message: 'Use Uint8Array, or import it from "node:buffer" in code for Node alone.' },
        { name: "global", message: "Use globalThis." },
        { name: "setImmediate", message: 'Import it from "node:timers", in code for Node alone.' },
      ],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        Buffer: "readonly",
        console: "readonly",
        performance: "readonly",
        process: "readonly",
        URL: "readonly",
      },
    },
  },
);
