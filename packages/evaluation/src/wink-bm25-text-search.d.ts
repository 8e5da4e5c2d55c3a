/** The part of the library that is used here; it has no types of its own. */
declare module "wink-bm25-text-search" {
  interface Engine {
    defineConfig(config: {
      fldWeights: Record<string, number>;
      bm25Params?: { k1?: number; b?: number; k?: number };
    }): boolean;
    definePrepTasks(tasks: readonly ((text: string) => string[])[]): number;
    addDoc(document: Record<string, string>, id: string): number;
    consolidate(decimals?: number): boolean;
    search(text: string, limit?: number): [id: string, score: number][];
  }

  export default function winkBM25(): Engine;
}
