// `npm run soak -- SOAK`: one of the soaks; progress on standard error, the figures as the last line.
import { type Options, parseArguments, type SoakName, USAGE, UsageError } from "./arguments.js";
import { soakFaults } from "./faults.js";
import { soakFuzz } from "./fuzz-run.js";
import { soakKills } from "./kills.js";
import { soakPower } from "./power.js";
import { soakReaders } from "./readers.js";
import { type Report, SoakError } from "./report.js";

const RUN: { readonly [S in SoakName]: (options: Options<S>, report: Report) => Promise<object> } = {
  kills: soakKills,
  power: soakPower,
  faults: soakFaults,
  fuzz: soakFuzz,
  readers: soakReaders,
};

try {
  const order = parseArguments(process.argv.slice(2));
  if (order === undefined) console.log(USAGE);
  else {
    const begun = performance.now();
    const run = RUN[order.soak] as (values: Record<string, number>, report: Report) => Promise<object>;
    const figures = await run(order.values, { progress: (line) => console.error(line) });
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(JSON.stringify({ soak: order.soak, ...order.values, ...figures, seconds }));
  }
} catch (error) {
  if (!(error instanceof UsageError || error instanceof SoakError)) throw error;
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
