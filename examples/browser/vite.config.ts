import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  // Any folder of any site.
  base: "./",
  logLevel: "warn",
  // The Markdown parser runs in a worker, which has no `document` to decode entities with.
  resolve: { conditions: ["worker", ...defaultClientConditions] },
  build: {
    target: "es2022",
    // The tagger's model is 3.6 MB by itself.
    chunkSizeWarningLimit: 5000,
  },
  worker: { format: "es" },
});
