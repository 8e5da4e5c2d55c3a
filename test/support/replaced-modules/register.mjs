// `node --import PATH/register.mjs`: puts packages in the place of others, for every importer. REPLACED_MODULES tells
// which, as JSON: { "name": "name of the other" }, resolved from the working directory.
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const replaced = JSON.parse(process.env.REPLACED_MODULES);
const parentURL = pathToFileURL(join(process.cwd(), "package.json")).href;
register("./hooks.mjs", import.meta.url, { data: { replaced, parentURL } });
