// Import cycles, and the direction in which data flows: text → graph → rank → retrieve.

const core = (...folders) => `^packages/core/src/(${folders.join("|")})/`;
const afterGraph = ["seeds", "activation", "pagerank", "fusion", "retrieve"];

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycle",
      comment: "Modules must not need each other to load. Types may refer to each other.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "text-first",
      comment: "Reading text knows nothing of graphs.",
      severity: "error",
      from: { path: core("text") },
      to: { path: core("segment", "index", "directory", "lexical", "dense", ...afterGraph) },
    },
    {
      name: "segments-before-ranking",
      comment: "A segment does not know what is computed from it.",
      severity: "error",
      from: { path: core("segment") },
      to: { path: core("index", "lexical", "dense", ...afterGraph) },
    },
    {
      name: "kernels-ask-a-graph-reader",
      comment: "Stages 1 and 2 see neighbourhoods through GraphReader: neither text nor storage.",
      severity: "error",
      from: { path: core("activation", "pagerank") },
      to: {
        path: core("text", "segment", "index", "directory", "lexical", "dense", "seeds", "fusion", "retrieve"),
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "core-stands-alone",
      comment: "The core knows no other package of this repository.",
      severity: "error",
      from: { path: "^packages/core/" },
      to: { path: "^packages/(?!core/)" },
    },
    {
      name: "models-only-where-asked",
      comment:
        "Only who asks for local models gets their library: no other package knows this one, but the command where an option names it.",
      severity: "error",
      from: { path: "^packages/(?!transformers/)[^/]+/src/", pathNot: "^packages/cli/src/embedder[.]ts$" },
      to: { path: ["^packages/transformers/", "(^|/)@xenova/"] },
    },
    {
      name: "resolvable",
      comment: "A path that leads nowhere would hide a cycle.",
      severity: "error",
      from: { path: "/src/" },
      to: { couldNotResolve: true, path: "^[.]" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|[.]tmp|[.]turbo)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
