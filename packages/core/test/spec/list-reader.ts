import type {
  EntityDegrees,
  EntityNeighbours,
  GraphReader,
  Neighbours,
  NodeList,
  PassageNeighbours,
  SentenceNeighbours,
} from "../../src/graph/reader.js";
import { sigmaTo } from "./equations.js";

export interface ListedSentence {
  /** Its number. */
  readonly id: number;
  /** Keys of the entities, each as often as the sentence names it. */
  readonly entities: readonly number[];
  readonly sigma: number;
  readonly words: number;
}

/** A live passage. */
export interface ListedPassage {
  /** Its number. */
  readonly id: number;
  readonly sentences: readonly ListedSentence[];
  /** Keys of the entities that it defines. */
  readonly defines: readonly number[];
  readonly visible: boolean;
}

export interface ListedHubs {
  readonly hubDegree: number;
  /** Numbers of visible passages. */
  readonly candidates: readonly number[];
}

interface Edge {
  readonly entity: number;
  readonly count: number;
  readonly defines: number;
}

interface Row {
  readonly passage: ListedPassage;
  /** Ascending by entity. */
  readonly edges: readonly Edge[];
  readonly mentions: number;
  readonly definitions: number;
}

/** `GraphReader` as its contract reads, over lists. */
export class ListReader implements GraphReader {
  private readonly hubs: ListedHubs;
  private readonly rows = new Map<number, Row>();
  private readonly sentences = new Map<number, ListedSentence>();
  /** Entity → its passages, hidden ones too. */
  private readonly columns = new Map<number, { readonly row: Row; readonly edge: Edge }[]>();

  /** @param passages live ones, in the order of their keys, then ids */
  constructor(passages: readonly ListedPassage[], hubs: ListedHubs) {
    this.hubs = hubs;
    for (const passage of passages) {
      const named = passage.sentences.flatMap((sentence) => sentence.entities);
      const edges = [...new Set([...named, ...passage.defines])]
        .sort((a, b) => a - b)
        .map((entity) => ({
          entity,
          count: named.filter((name) => name === entity).length,
          defines: passage.defines.includes(entity) ? 1 : 0,
        }));
      const row = { passage, edges, mentions: named.length, definitions: passage.defines.length };
      this.rows.set(passage.id, row);
      for (const sentence of passage.sentences) this.sentences.set(sentence.id, sentence);
      for (const edge of edges) {
        const column = this.columns.get(edge.entity) ?? [];
        this.columns.set(edge.entity, column);
        column.push({ row, edge });
      }
    }
  }

  async passagesOf(entities: NodeList): Promise<PassageNeighbours> {
    const found = idsOf(entities).map((entity) => this.column(entity).filter(({ row }) => row.passage.visible));
    const flat = found.flat();
    return {
      ...neighbours(found.map((list) => list.map(({ row }) => row.passage.id))),
      counts: Uint32Array.from(flat, ({ edge }) => edge.count),
      defines: Uint8Array.from(flat, ({ edge }) => edge.defines),
      degrees: Uint32Array.from(flat, ({ row }) => row.edges.length),
      mentions: Uint32Array.from(flat, ({ row }) => row.mentions),
      definitions: Uint32Array.from(flat, ({ row }) => row.definitions),
    };
  }

  async entitiesOf(passages: NodeList): Promise<EntityNeighbours> {
    const found = idsOf(passages).map((id) => this.rows.get(id)!.edges);
    const flat = found.flat();
    return {
      ...neighbours(found.map((list) => list.map(({ entity }) => entity))),
      counts: Uint32Array.from(flat, ({ count }) => count),
      defines: Uint8Array.from(flat, ({ defines }) => defines),
      degrees: Uint32Array.from(flat, ({ entity }) => this.column(entity).length),
      definitions: Uint32Array.from(flat, ({ entity }) => this.definitionsOf(entity)),
    };
  }

  async sentencesOf(entities: NodeList, open: Uint32Array): Promise<SentenceNeighbours> {
    const { hubDegree, candidates } = this.hubs;
    const found = idsOf(entities).map((entity, n) => {
      const column = this.column(entity);
      return column
        .map(({ row }) => row.passage)
        .filter(({ id, visible }) => visible && (column.length <= hubDegree || candidates.includes(id)))
        .flatMap(({ sentences }) => sentences)
        .filter((sentence) => sentence.entities.includes(entity))
        .map((sentence) => ({
          id: sentence.id,
          relevance: sigmaTo(sentence, open[n]),
          covered: sentence.words & open[n],
        }))
        .filter(({ relevance }) => relevance > 0);
    });
    return {
      ...neighbours(found.map((list) => list.map(({ id }) => id))),
      relevance: Float64Array.from(found.flat(), ({ relevance }) => relevance),
      covered: Uint32Array.from(found.flat(), ({ covered }) => covered),
    };
  }

  async entitiesIn(sentences: NodeList): Promise<Neighbours> {
    return neighbours(
      idsOf(sentences).map((id) => [...new Set(this.sentences.get(id)!.entities)].sort((a, b) => a - b)),
    );
  }

  async degreesOf(entities: NodeList): Promise<EntityDegrees> {
    return {
      degrees: Uint32Array.from(idsOf(entities), (entity) => this.column(entity).length),
      definitions: Uint32Array.from(idsOf(entities), (entity) => this.definitionsOf(entity)),
    };
  }

  private column(entity: number) {
    return this.columns.get(entity) ?? [];
  }

  private definitionsOf(entity: number): number {
    return this.column(entity).reduce((sum, { edge }) => sum + edge.defines, 0);
  }
}

function idsOf({ ids, length }: NodeList): number[] {
  return [...ids.subarray(0, length)];
}

function neighbours(rows: readonly (readonly number[])[]): Neighbours {
  const indptr = [0];
  for (const row of rows) indptr.push(indptr[indptr.length - 1] + row.length);
  return { indptr: Uint32Array.from(indptr), ids: Float64Array.from(rows.flat()) };
}
