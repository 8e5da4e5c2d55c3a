/** The nodes that evidence paths lead through, each once however many passages share it. */
import type { EvidenceStep, GraphEvidence, RetrievedPassage, SimilarityEvidence } from "@trigraph/core";
import type {
  EntitySource,
  ExploredBridge,
  ExploredCarrier,
  ExploredSeed,
  ExploredSentence,
  NodeId,
  PassageSource,
  SimilaritySource,
} from "./types.js";

/** Nodes of one kind by what makes them the same. */
class NodeList<Node extends { readonly id: NodeId }> {
  private readonly kind: string;
  private readonly byKey = new Map<string, Node>();

  constructor(kind: string) {
    this.kind = kind;
  }

  /** The node with this key, made the first time. */
  add(key: string, make: (id: NodeId) => Node): Node {
    let node = this.byKey.get(key);
    if (node === undefined) {
      node = make(`${this.kind}-${this.byKey.size + 1}`);
      this.byKey.set(key, node);
    }
    return node;
  }

  get all(): Node[] {
    return [...this.byKey.values()];
  }
}

export class Paths {
  private readonly seeds = new NodeList<ExploredSeed>("seed");
  private readonly sentences = new NodeList<ExploredSentence>("sentence");
  private readonly bridges = new NodeList<ExploredBridge>("bridge");
  private readonly carriers = new NodeList<ExploredCarrier>("carrier");
  /** Seeds and bridges by name. */
  private readonly entities = new Map<string, NodeId>();

  /** Adds what led to a passage. @returns the ids from the question to the passage, both included */
  add({ rank, evidence }: RetrievedPassage): NodeId[] {
    const between = evidence!.via === "graph" ? this.overGraph(evidence!) : [this.similaritySeed(evidence!)];
    return ["question", ...between, passageNode(rank)];
  }

  get nodes() {
    return {
      seeds: this.seeds.all,
      sentences: this.sentences.all,
      bridges: this.bridges.all,
      carriers: this.carriers.all,
    };
  }

  /** The seed or bridge of this name, or null. */
  entityNode(entity: string): NodeId | null {
    return this.entities.get(entity) ?? null;
  }

  private overGraph({ seed, steps }: GraphEvidence): NodeId[] {
    const start = seed.kind === "entity" ? [this.entitySeed(seed)] : this.passageSeed(seed);
    return [...start, ...steps.flatMap((step) => [this.through(step), this.bridge(step)])];
  }

  private entitySeed({ entity, span, activation }: Omit<EntitySource, "id" | "kind">): NodeId {
    const { id } = this.seeds.add(`entity ${entity}`, (id) => ({ id, kind: "entity", entity, span, activation }));
    this.entities.set(entity, id);
    return id;
  }

  private passageSeed(seed: Omit<PassageSource, "id" | "kind"> & { readonly entity: string }): NodeId[] {
    const { passageId, via, similarity, entity } = seed;
    const { id } = this.seeds.add(`passage ${passageId}`, (id) => ({
      id,
      kind: "passage",
      passageId,
      via,
      similarity,
    }));
    return [id, this.entity(entity, similarity, "passage")];
  }

  private similaritySeed({ via }: Pick<SimilaritySource, "via"> | Pick<SimilarityEvidence, "via">): NodeId {
    return this.seeds.add(`similarity ${via}`, (id) => ({ id, kind: "similarity", via })).id;
  }

  private through(step: EvidenceStep): NodeId {
    if (step.via === "passage") {
      const { passageId, entity } = step.from;
      // Once for each entity that leads into it: so no path leads back.
      return this.carriers.add(JSON.stringify([passageId, entity]), (id) => ({ id, passageId })).id;
    }
    const { passageId, span, text, relevance, words } = step.sentence;
    const { activation } = step;
    const key = JSON.stringify([passageId, span.start]);
    return this.sentences.add(key, (id) => ({ id, passageId, span, text, relevance, words, activation })).id;
  }

  private bridge({ via, to, contribution }: EvidenceStep): NodeId {
    return this.entity(to.entity, contribution, via);
  }

  private entity(entity: string, contribution: number, by: ExploredBridge["by"]): NodeId {
    const known = this.entities.get(entity);
    if (known !== undefined) return known;
    const { id } = this.bridges.add(entity, (id) => ({ id, entity, contribution, by }));
    this.entities.set(entity, id);
    return id;
  }
}

export function passageNode(rank: number): NodeId {
  return `passage-${rank}`;
}
