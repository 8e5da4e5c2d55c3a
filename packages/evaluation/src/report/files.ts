import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ComparisonResult } from "../compare.js";
import { EvaluationError, messageOf } from "../errors.js";
import { renderHtml } from "./html.js";
import { renderJson } from "./json.js";
import { renderMarkdown } from "./markdown.js";
import { REPORT_FORMAT, REPORT_VERSION } from "./report.js";

/** What is read of a report that was written; the file has more. */
const STORED_REPORT = z.object({
  format: z.literal(REPORT_FORMAT),
  version: z.literal(REPORT_VERSION),
  settings: z.object({ ks: z.array(z.int().positive()).min(1), titles: z.boolean() }),
  corpus: z.object({ sources: z.array(z.object({ name: z.string(), sha256: z.string() })) }),
  measures: z.array(z.string()),
  methods: z.array(z.object({ name: z.string() })),
  questions: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      methods: z.array(z.object({ method: z.string(), measures: z.record(z.string(), z.number()) })),
    }),
  ),
});

/** A report as it is read back: the part that comparing needs. */
export type StoredReport = z.infer<typeof STORED_REPORT>;

/**
 * Writes `report.json`, `times.json`, `report.md` and `report.html` into a folder, which is made if need be.
 *
 * @throws EvaluationError `REPORT` when a file cannot be written
 */
export async function writeReport(folder: string, { report, times }: ComparisonResult): Promise<void> {
  const files = {
    "report.json": renderJson(report),
    "times.json": renderJson(times),
    "report.md": await renderMarkdown(report, times),
    "report.html": await renderHtml(report, times),
  };
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  } catch (error) {
    throw new EvaluationError("REPORT", `${folder}: cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}

/** @throws EvaluationError `REPORT` when the folder holds no report that this version reads */
export async function readReport(folder: string): Promise<StoredReport> {
  const file = join(folder, "report.json");
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new EvaluationError("REPORT", `${file}: cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const parsed = STORED_REPORT.safeParse(content);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new EvaluationError(
    "REPORT",
    `${file}: expected a report of trigraph-eval run, version ${REPORT_VERSION}. ${path.join(".")}: ${message}.`,
  );
}
