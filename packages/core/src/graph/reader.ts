/**
 * What stages 1 and 2 ask of a graph: neighbourhoods, a whole frontier at a time.
 *
 * Entities are named by their keys, passages and sentences by numbers; all are doubles. Answers are CSR:
 * the neighbours of the i-th node asked for are at `indptr[i] … indptr[i + 1])`, ascending by key for
 * entities and by (passage key, passage id, sentence ordinal) otherwise, so that no result depends on
 * where a node is stored. An answer's buffers are valid until the next call of the same method.
 *
 * In memory an answer is a slice of typed arrays; a database answers with one statement a call.
 */
export interface GraphReader {
  /** The visible passages that contain each entity: the transpose of C. */
  passagesOf(entities: NodeList): Promise<PassageNeighbours>;
  /** The entities that each passage contains: C. */
  entitiesOf(passages: NodeList): Promise<EntityNeighbours>;
  /**
   * The visible sentences that mention each entity and their relevance to the question; none without relevance.
   *
   * @param open [batch] the question's words that count for each entity's sentences, as sets of bits (`WordSet`)
   */
  sentencesOf(entities: NodeList, open: Uint32Array): Promise<SentenceNeighbours>;
  /** The entities that each sentence mentions: M. */
  entitiesIn(sentences: NodeList): Promise<Neighbours>;
  /** Corpus statistics of each entity, whatever the query may see. */
  degreesOf(entities: NodeList): Promise<EntityDegrees>;
}

/** Some of the question's words, as bits. */
export type WordSet = number;

export const ALL_WORDS: WordSet = 0xffffffff;

/** A batch of nodes: the first `length` numbers of `ids`. */
export interface NodeList {
  readonly ids: Float64Array;
  readonly length: number;
}

/** A batch of these ids. */
export function listOf(ids: readonly number[]): NodeList {
  return { ids: Float64Array.from(ids), length: ids.length };
}

/** The ids at the given indices, as a batch. */
export function pick(ids: ArrayLike<number>, indices: ArrayLike<number>): NodeList {
  const picked = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) picked[i] = ids[indices[i]];
  return { ids: picked, length: picked.length };
}

export interface Neighbours {
  /** [batch + 1] */
  readonly indptr: Uint32Array;
  readonly ids: Float64Array;
}

export interface SentenceNeighbours extends Neighbours {
  /** σ of each sentence (equation 4), greater than 0. */
  readonly relevance: Float64Array;
  /** The open words that each sentence covers. */
  readonly covered: Uint32Array;
}

/** Edges of the passage–entity graph, seen from the batch. */
interface Edges extends Neighbours {
  /** N: occurrences of the entity in the passage's text. */
  readonly counts: Uint32Array;
  /** 1 where the passage defines the entity. */
  readonly defines: Uint8Array;
  /** Edges of the neighbour. */
  readonly degrees: Uint32Array;
}

export interface PassageNeighbours extends Edges {
  /** Mentions in the neighbouring passage, and entities that it defines. */
  readonly mentions: Uint32Array;
  readonly definitions: Uint32Array;
}

export interface EntityNeighbours extends Edges {
  /** Live passages that define the neighbouring entity. */
  readonly definitions: Uint32Array;
}

export interface EntityDegrees {
  /** [batch] live passages that contain the entity: n. */
  readonly degrees: Uint32Array;
  /** [batch] live passages that define it. */
  readonly definitions: Uint32Array;
}
