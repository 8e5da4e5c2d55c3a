// The built package where `@xenova/transformers` cannot be found. Prints one line of JSON.
import { createRequire } from "node:module";
import { TransformersEmbedder } from "@trigraph/transformers";

const { TransformersAnalyzer } = createRequire(import.meta.url)("@trigraph/transformers");
const models = [TransformersEmbedder, TransformersAnalyzer].map((Model) => new Model({ model: "any" }));
const errors = await Promise.all(models.map((model) => model.load().catch((error) => error)));
console.log(JSON.stringify(errors.map(({ name, code, message }) => ({ name, code, message }))));
