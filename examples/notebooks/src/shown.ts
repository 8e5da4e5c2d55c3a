/**
 * What a cell shows. It returns it, rather than printing it: Deno sends what is printed by another way than results, which
 * may be after the cell's end and in another order.
 */
export interface Shown {
  /** Deno's kernel asks an object for its data by media type. */
  readonly [display: symbol]: () => Record<string, string>;
}

export function shown(mediaType: string, data: string): Shown {
  return { [Symbol.for("Jupyter.display")]: () => ({ [mediaType]: data }) };
}

/** Lines of plain text. */
export function lines(...texts: readonly string[]): Shown {
  return shown("text/plain", texts.join("\n"));
}
