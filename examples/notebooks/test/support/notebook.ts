/** What a reader of a notebook sees of its code cells. */
import { z } from "zod";

const TEXT = z.array(z.string());

/** Printed output and errors are none of these: a notebook that stores them is not as it should be. */
const OUTPUT = z.object({
  output_type: z.enum(["execute_result", "display_data"]),
  data: z.record(z.string(), TEXT),
});

const CODE = z.object({ cell_type: z.literal("code"), source: TEXT, outputs: z.array(OUTPUT) });
const MARKDOWN = z.object({ cell_type: z.literal("markdown") });
const NOTEBOOK = z.object({ cells: z.array(z.discriminatedUnion("cell_type", [CODE, MARKDOWN])) });

export type CodeCell = z.infer<typeof CODE>;

export function codeCells(json: string): CodeCell[] {
  return NOTEBOOK.parse(JSON.parse(json)).cells.filter((cell) => cell.cell_type === "code");
}

/** Texts word for word. Of a picture that it is there: its coordinates may differ in the last digit. */
export function shownBy({ outputs }: CodeCell): string[] {
  return outputs.flatMap(({ data }) =>
    Object.entries(data).map(([type, text]) => {
      const whole = text.join("");
      return type === "image/svg+xml" ? `a picture: ${whole.slice(0, 4)}` : `${type}: ${whole}`;
    }),
  );
}
