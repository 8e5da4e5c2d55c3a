// Serves the built page until it is stopped: `npm run example -- browser`.
import process from "node:process";
import { preview } from "vite";

const { resolvedUrls } = await preview({ root: import.meta.dirname });
process.stdout.write(`${resolvedUrls.local[0]}\nOpen it in a browser. Ctrl-C ends it.\n`);
