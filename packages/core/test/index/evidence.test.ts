import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_RANKING,
  type EntityPlace,
  type Evidence,
  type EvidenceStep,
  type GraphEvidence,
  normalizeName,
  type Passage,
  type PassageFilter,
  type PassageSeed,
  type RankingOptions,
  type RetrievedPassage,
  type SentenceEvidence,
  TriGraph,
} from "../../src/index.js";
import { titleNames } from "../../src/text/names.js";
import { nameSimilarity, RawTexts } from "./raw-texts.js";
import { content, patience, question, RememberingAnalyzer, runs } from "./world.js";

const FILMS: readonly Passage[] = [
  {
    id: "harbor",
    title: "The Glass Harbor",
    text: "The Glass Harbor is a drama. It was directed by Elva Marsh in 1931.",
  },
  { id: "elva", title: "Elva Marsh", text: "Elva Marsh grew up by a river. She was born in Norwick." },
  { id: "norwick", title: "Norwick (town)", text: "The town has a mill. Its mayor is Corvin Hale." },
  { id: "corvin", text: "Corvin Hale, the mayor of Norwick, plays chess with Bram Stone." },
  { id: "bram", text: "Bram Stone sells boats." },
  { id: "other", text: "A lighthouse keeps ships from the rocks." },
];

/** Replays a hit's evidence over the texts. */
function replay(hit: RetrievedPassage, texts: RawTexts, question: string, options: RankingOptions): void {
  const evidence = hit.evidence!;
  checkSentence(evidence.sentence, hit.passage, texts, question, options);
  if (evidence.via === "graph") checkPath(hit.passage, evidence, texts, question, options);
  else checkSimilarity(hit, evidence.via, evidence.similarity, texts, question, options);
}

/** The sentence is the passage's most relevant one, the first of equals. */
function checkSentence(
  sentence: SentenceEvidence | undefined,
  passage: Passage,
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  const asked = texts.asked(question, options);
  const all = texts.relevances(asked, asked, passage, options.sentenceLengthScale);
  const best = all.reduce<(typeof all)[number] | undefined>(
    (found, next) => (found === undefined || next.relevance > found.relevance + 1e-12 ? next : found),
    undefined,
  );
  expect(sentence?.span).toEqual(best?.span);
  if (sentence === undefined) return;
  expect(sentence.passageId).toBe(passage.id);
  checkCut(sentence, asked, texts, question, options);
}

/** Text, σ and words of a sentence are those of its span. */
function checkCut(
  sentence: SentenceEvidence,
  open: readonly string[],
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  const passage = visiblePassage(sentence.passageId, texts);
  expect(sentence.text).toBe(passage.text.slice(sentence.span.start, sentence.span.end));
  const all = texts.relevances(texts.asked(question, options), open, passage, options.sentenceLengthScale);
  const own = all.find(({ span }) => span.start === sentence.span.start && span.end === sentence.span.end);
  expect(own).toBeDefined();
  expect(sentence.relevance).toBeCloseTo(own!.relevance, 12);
  expect(sentence.words).toEqual(own!.words);
}

function checkPath(
  passage: Passage,
  { seed, steps, arrival }: GraphEvidence,
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  let { entity } = seed;
  if (seed.kind === "entity") {
    const said = normalizeName(question.slice(seed.span.start, seed.span.end));
    if (seed.activation === 1) expect(said).toBe(seed.entity);
    expect(seed.activation).toBeCloseTo(nameSimilarity(said, seed.entity), 12);
  } else {
    expect(seed.place).toMatchObject({ entity: seed.entity, passageId: seed.passageId });
    checkPlace(seed.place, texts);
    expect(seed.passageId).not.toBe(passage.id);
    checkSimilarityValue(seed.via, seed.similarity, texts.passages.get(seed.passageId)!, texts, question, options);
  }
  const activated = texts.activate(question, options);
  const met = new Set([entity]);
  for (const step of steps) {
    expect(step.from.entity).toBe(entity);
    ({ entity } = step.to);
    expect(met, "entities of the path so far").not.toContain(entity);
    met.add(entity);
    checkPlace(step.from, texts);
    checkPlace(step.to, texts);
    expect(step.from.passageId).toBe(step.to.passageId);
    expect(step.contribution).toBeGreaterThan(0);
    if (step.via === "passage") continue;
    const { sentence } = step;
    const wanted = activated.get(entity)!;
    checkCut(sentence, wanted.before, texts, question, options);
    for (const place of [step.from, step.to]) {
      expect(place).toMatchObject({ passageId: sentence.passageId, field: "text" });
      expect(place.span.start).toBeGreaterThanOrEqual(sentence.span.start);
      expect(place.span.end).toBeLessThanOrEqual(sentence.span.end);
    }
    expect(step.contribution).toBeCloseTo(step.activation * sentence.relevance, 12);
    // Equation 5, over the texts.
    expect(step.activation).toBeCloseTo(wanted.activation, 9);
    expect(step.contribution).toBeCloseTo(wanted.contribution, 9);
  }
  checkPlace(arrival, texts);
  expect(arrival).toMatchObject({ entity, passageId: passage.id });
  expect(arrival.defines).toBe(texts.definedBy(passage).includes(entity));
  expect(arrival.contribution).toBeGreaterThan(0);
  if (arrival.by === "bridge") checkBridge(passage, steps.at(-1), seed, arrival, texts, question, options);
  // Equation 7's term, over the texts. Each step of this mode is a hop.
  const isReplayed = seed.kind === "entity" && options.propagation === "top-sentences";
  if (arrival.by !== "activation" || !isReplayed) return;
  const { passages, definitions, mentions } = texts.occurrences(entity, passage);
  const mass = mentions + (arrival.defines ? options.definitionWeight / definitions : 0);
  const specific = activated.get(entity)!.total / passages ** options.specificity;
  expect(arrival.contribution).toBeCloseTo((specific * Math.log1p(mass)) / (steps.length + 1), 9);
}

/** The second hop: what the passage covers of the words that the bridge's sentence left open, by the relevance of that sentence. */
function checkBridge(
  passage: Passage,
  step: EvidenceStep | undefined,
  seed: GraphEvidence["seed"],
  { entity, contribution }: EntityPlace & { contribution: number },
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  const from = step?.from.passageId ?? (seed as PassageSeed).passageId;
  const open = texts.asked(question, options);
  const sentences = texts.bridge(visiblePassage(from, texts), entity, open, options.sentenceLengthScale);
  const relevance = Math.max(...sentences.map((sentence) => sentence.relevance));
  if (step !== undefined) expect(step.contribution).toBeCloseTo(relevance, 12);
  const { left } = sentences.find((sentence) => sentence.relevance === relevance)!;
  expect(contribution).toBeCloseTo(relevance * (0.2 + Math.sqrt(texts.shareOf(passage, left, open))), 9);
}

/** The span, cut from the text or the title, is the entity. */
function checkPlace({ entity, passageId, field, span }: EntityPlace, texts: RawTexts): void {
  const passage = visiblePassage(passageId, texts);
  const source = field === "text" ? passage.text : passage.title!;
  expect(span.end).toBeLessThanOrEqual(source.length);
  expect(normalizeName(source.slice(span.start, span.end))).toBe(entity);
}

function checkSimilarity(
  { passage, score }: RetrievedPassage,
  via: Exclude<Evidence["via"], "graph">,
  similarity: number,
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  checkSimilarityValue(via, similarity, passage, texts, question, options);
  if (via === "fill") expect(score).toBe(0);
}

function checkSimilarityValue(
  via: Exclude<Evidence["via"], "graph">,
  similarity: number,
  passage: Passage,
  texts: RawTexts,
  question: string,
  options: RankingOptions,
): void {
  visiblePassage(passage.id, texts);
  expect(["words", "fill"]).toContain(via);
  expect(similarity).toBeCloseTo(texts.similarity(question, passage, options), 9);
  expect(similarity > 0).toBe(via === "words");
}

function visiblePassage(id: string, texts: RawTexts): Passage {
  const passage = texts.visible.find((other) => other.id === id);
  expect(passage, `passage ${id} is there and visible`).toBeDefined();
  return passage!;
}

/** Asks an index of the passages and replays every hit. */
async function ask(
  passages: readonly Passage[],
  question: string,
  changes: Partial<RankingOptions> = {},
  filter?: PassageFilter & ((passage: Passage) => boolean),
): Promise<RetrievedPassage[]> {
  const options: RankingOptions = { ...DEFAULT_RANKING, minSeedPassages: 1e6, minNameUse: 0, ...changes };
  const index = await TriGraph.create({ ranking: options, analyzer });
  await index.upsert(passages);
  const hits = await index.retrieve(question, { k: 100, explain: true, ...(filter === undefined ? {} : { filter }) });
  const texts = new RawTexts(passages, filter);
  for (const hit of hits) replay(hit, texts, question, options);
  return hits;
}

const analyzer = new RememberingAnalyzer();

describe("evidence of a multi-hop question", () => {
  const QUESTION = "In which town was the director of The Glass Harbor born?";

  it("follows sentences that mention both entities", async () => {
    const texts: readonly Passage[] = [
      { id: "harbor", title: "The Glass Harbor", text: "The director of The Glass Harbor was Elva Marsh." },
      { id: "elva", title: "Elva Marsh", text: "Elva Marsh was born in the town of Norwick." },
      { id: "norwick", title: "Norwick (town)", text: "It lies by the sea." },
      { id: "other", title: "Delmar", text: "Delmar is another town." },
    ];
    const hits = await ask(texts, QUESTION, { activationThreshold: 0.01 });
    const { seed, steps, arrival } = hits.find(({ passage }) => passage.id === "norwick")!.evidence as GraphEvidence;
    expect(seed).toMatchObject({ kind: "entity", entity: "glass harbor", activation: 1 });
    expect(steps.map(({ from, to, via }) => [from.entity, via, to.entity, to.passageId])).toEqual([
      ["glass harbor", "sentence", "elva marsh", "harbor"],
      ["elva marsh", "sentence", "norwick", "elva"],
    ]);
    expect(arrival).toMatchObject({
      entity: "norwick",
      passageId: "norwick",
      field: "title",
      span: { start: 0, end: 7 },
      defines: true,
    });
  });

  it("begins and ends at the passage that defines what the question names", async () => {
    const [{ passage, evidence }] = await ask(FILMS, "Who directed The Glass Harbor?");
    expect(passage.id).toBe("harbor");
    expect(evidence).toMatchObject({
      via: "graph",
      seed: { kind: "entity", entity: "glass harbor", activation: 1, span: { start: 13, end: 29 } },
      steps: [],
      arrival: {
        entity: "glass harbor",
        passageId: "harbor",
        field: "text",
        span: { start: 4, end: 16 },
        defines: true,
      },
      sentence: {
        passageId: "harbor",
        span: { start: 29, end: 67 },
        text: "It was directed by Elva Marsh in 1931.",
        words: ["directed"],
      },
    });
  });

  it("goes on through passages where stage 1 does not reach", async () => {
    const setting = { hops: 1, epsilon: 1e-7 };
    const hits = await ask(FILMS, "Who directed Glass Harbor?", setting);
    const steps = hits.flatMap(({ evidence }) => (evidence as GraphEvidence).steps ?? []);
    expect(steps.some(({ via }) => via === "passage")).toBe(true);
    expect(hits.map(({ passage, evidence }) => [passage.id, evidence!.via])).toContainEqual(["other", "fill"]);
  });

  it("goes over a bridge to what neither a seed nor a word of the question leads to", async () => {
    const hits = await ask(
      [
        { id: "keeper", text: "It is by the sea. The lighthouse had a keeper called Bram Stone, who painted." },
        { id: "stone", title: "Bram Stone", text: "Sold boats." },
        { id: "mention", title: "Mill hands", text: "Nobody in the mill knew Bram Stone." },
        { id: "other", text: "Elva Marsh was a painter in Norwick." },
      ],
      "which keeper of what lighthouse?",
    );
    const evidence = Object.fromEntries(hits.map(({ passage, evidence }) => [passage.id, evidence!]));
    expect(evidence.keeper).toMatchObject({ via: "words" });
    expect(evidence.other).toMatchObject({ via: "fill" });
    expect(evidence.other).not.toHaveProperty("fusion");
    for (const [id, defines] of [
      ["stone", true],
      ["mention", false],
    ] as const) {
      expect(evidence[id]).toMatchObject({
        via: "graph",
        seed: { kind: "passage", via: "words", passageId: "keeper", entity: "bram stone" },
        steps: [],
        arrival: { by: "bridge", entity: "bram stone", passageId: id, defines },
      });
      expect(evidence[id].fusion!.shares.find(({ feature }) => feature === "secondHop")!.value).toBe(
        (evidence[id] as GraphEvidence).arrival.contribution,
      );
    }
  });

  it("starts at a similar name", async () => {
    const hits = await ask(FILMS, "Where was Elva Marshh born?");
    const { seed } = hits[0].evidence as GraphEvidence;
    expect(seed).toMatchObject({ kind: "entity", entity: "elva marsh", span: { start: 10, end: 21 } });
    expect((seed as { activation: number }).activation).toBeLessThan(1);
  });

  it.each(["Foo", "Foo (bar)", "Foo (bar (baz))", "Foo (bar) (baz)", "The Foo, again (bar)", " Foo (x) "])(
    "places the names of the title %j",
    async (title) => {
      const passages: readonly Passage[] = [
        { id: "a", title, text: "It is unlike anything." },
        { id: "b", text: "Bram Stone sells boats." },
      ];
      for (const name of titleNames(title)) {
        const hits = await ask(passages, `What is ${name}?`);
        expect(hits[0]).toMatchObject({
          passage: { id: "a" },
          evidence: { via: "graph", arrival: { field: "title" } },
        });
      }
    },
  );
});

describe("evidence without the graph", () => {
  const PLAIN = FILMS.map((passage): Passage => ({ ...passage, vector: [passage.id.length, 1, passage.text.length] }));

  it("is words where the question names nothing", async () => {
    const hits = await ask(FILMS, "which ships sells the mill?");
    expect(new Set(hits.map(({ evidence }) => evidence!.via))).toEqual(new Set(["words", "fill"]));
  });

  it.each([
    ["dense", "vectors"],
    ["hybrid", "hybrid"],
    ["lexical", "words"],
    ["auto", "hybrid"],
  ] as const)("with %s similarity is %s", async (similarity, via) => {
    const index = await TriGraph.create({ ranking: { similarity, fusion: "none" } });
    await index.upsert(PLAIN);
    const hits = await index.retrieve("which boats?", { k: 10, explain: true, vector: [1, 0, 1] });
    expect(hits[0].evidence).toMatchObject({ via });
    for (const { evidence } of hits) expect([via, "fill"]).toContain(evidence!.via);
  });

  it("is the prior where it outdoes the words, and the start of paths from there", async () => {
    const index = await TriGraph.create();
    await index.upsert(FILMS);
    const priors = [
      { id: "elva", score: 4 },
      { id: "bram", score: 1 },
    ];
    const hits = await index.retrieve("xyzzy", { k: 10, explain: true, priors });
    const evidence = Object.fromEntries(hits.map((hit) => [hit.passage.id, hit.evidence!]));
    expect(evidence.elva).toMatchObject({ via: "priors", similarity: 1 });
    expect(evidence.bram).toMatchObject({ via: "priors", similarity: 0.25 });
    expect(evidence.norwick).toMatchObject({
      via: "graph",
      seed: { kind: "passage", via: "priors", passageId: "elva" },
    });
    expect(evidence.other).toMatchObject({ via: "fill", similarity: 0 });
    // A prior counts only where it is the greater.
    const [lighthouse] = await index.retrieve("lighthouse", { explain: true, priors: [{ id: "other", score: 1 }] });
    expect(lighthouse.evidence).toMatchObject({ via: "words", similarity: 1 });
  });

  it("is absent unless asked for", async () => {
    const index = await TriGraph.create();
    await index.upsert(FILMS);
    for (const hit of await index.retrieve("Who is Elva Marsh?")) expect(hit).not.toHaveProperty("evidence");
  });
});

describe("evidence of generated corpora", () => {
  const RUNS = 100;
  const corpus = fc
    .array(content, { minLength: 4, maxLength: 16 })
    .map((contents) => contents.map((content, i): Passage => ({ id: `p${i}`, ...content })));
  const settings: fc.Arbitrary<Partial<RankingOptions>> = fc.record({
    sentencesPerEntity: fc.constantFrom(1, 2),
    activationThreshold: fc.constantFrom(0.001, 0.02, 0.1),
    hops: fc.constantFrom(1, 2, 3, 4),
    activation: fc.constantFrom("spread", "spread", "none"),
    epsilon: fc.constantFrom(1e-3, 1e-5),
    b: fc.constantFrom(0, 0.75),
  });

  it.each(["top-sentences", "max"] as const)(
    "replays over the texts, propagating by %s",
    async (propagation) => {
      let paths = 0;
      await fc.assert(
        fc.asyncProperty(corpus, question, settings, fc.boolean(), async (passages, question, setting, isFiltered) => {
          const filter = isFiltered ? ({ metadata }: Passage) => metadata?.group !== 1 : undefined;
          const hops = setting.activation === "none" ? { hops: 1 } : {};
          const hits = await ask(passages, question, { ...setting, ...hops, propagation }, filter);
          paths += hits.filter(({ evidence }) => evidence!.via === "graph" && evidence!.steps.length > 0).length;
        }),
        runs(RUNS),
      );
      expect(paths).toBeGreaterThan(runs(RUNS).numRuns!);
    },
    patience(RUNS),
  );
});
