// Module hooks that put the oldest supported LangChain in the place of the newest, for every importer.
const OLDEST = new Map([
  ["@langchain/core", "langchain-core-oldest"],
  ["@langchain/classic", "langchain-classic-oldest"],
]);

export function resolve(specifier, context, next) {
  for (const [name, oldest] of OLDEST) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    return next(oldest + specifier.slice(name.length), { ...context, parentURL: import.meta.url });
  }
  return next(specifier, context);
}
