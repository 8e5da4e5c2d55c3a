/** A copy of the notes is indexed, edited and indexed again, as its owner would over some days. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { describeReport } from "./report.js";
import { syncFolder } from "./sync.js";

const NOTES = fileURLToPath(new URL("../../notes", import.meta.url));

const QUESTION = "Where did the lead of the Ledger Team grow up?";

interface Step {
  readonly name: string;
  readonly change: (folder: string) => Promise<void>;
}

const STEPS: readonly Step[] = [
  { name: "First run", change: async () => undefined },
  { name: "Run again", change: async () => undefined },
  {
    name: "Edit: teams/ledger-team.md names another lead",
    change: (folder) =>
      edit(join(folder, "teams", "ledger-team.md"), "Its lead is Maria Okafor", "Its lead is Tomas Lind"),
  },
  {
    name: "Insert: a section before the last of services/billing-service.md",
    change: (folder) =>
      edit(
        join(folder, "services", "billing-service.md"),
        "## Incidents",
        "## On call\n\nWhoever is on call for the Billing Service has the red telephone.\n\n## Incidents",
      ),
  },
  { name: "Delete: people/maria-okafor.md", change: (folder) => rm(join(folder, "people", "maria-okafor.md")) },
];

export async function tour(print: (text: string) => void, signal: AbortSignal): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "trigraph-sync-"));
  try {
    const folder = join(root, "notes");
    await cp(NOTES, folder, { recursive: true });
    for (const { name, change } of STEPS) {
      await change(folder);
      // Opened anew each time, as by another run of the program.
      const index = await TriGraph.open(new FileDirectory(join(root, "index")), { create: true });
      try {
        print(`${name}\n  ${describeReport(await syncFolder(index, folder, signal), index.size)}\n`);
        const found = await ask(index);
        print(`  ${QUESTION} ${found.join(", ")}\n`);
        print(
          `  a fresh index finds ${found.join() === (await askFresh(folder)).join() ? "the same" : "something else"}\n\n`,
        );
      } finally {
        await index.close();
      }
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function ask(index: TriGraph): Promise<string[]> {
  const hits = await index.retrieve(QUESTION, { k: 4 });
  return hits.map(({ passage }) => passage.title!);
}

async function askFresh(folder: string): Promise<string[]> {
  const index = await TriGraph.create();
  await syncFolder(index, folder);
  return ask(index);
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  if (!text.includes(from)) throw new Error(`${file}: expected to find "${from}" in it, which the tour edits.`);
  await writeFile(
    file,
    text.replace(from, () => to),
  );
}
