import fc from "fast-check";
import { expect, test } from "vitest";
import { documentPassages } from "../src/read/document-passages.js";
import { parseMarkdown } from "../src/read/markdown.js";
import { splitIntoPassages, type Block } from "../src/read/split.js";

const MARKDOWN = `---
title: Ada Lovelace
---

<!-- no text -->

# Ada Lovelace

She knew [Babbage](https://example.org) &amp; *others*. ![badge](x.png)

## Life

### Childhood

- Tutored by **Mary Somerville**.
- Read
  - Euclid.

## Code

\`\`\`sh
# no heading
run
\`\`\`

| Note | Year |
| --- | --- |
| G | 1843 |
`;

test("Markdown becomes plain text under its headings", () => {
  expect(parseMarkdown(MARKDOWN)).toEqual({
    name: "Ada Lovelace",
    sections: [
      { headings: [], blocks: [{ kind: "prose", text: "She knew Babbage & others." }] },
      {
        headings: ["Life", "Childhood"],
        blocks: [{ kind: "prose", text: "Tutored by Mary Somerville.\nRead\nEuclid." }],
      },
      {
        headings: ["Code"],
        blocks: [
          { kind: "code", text: "# no heading\nrun" },
          { kind: "prose", text: "Note, Year\nG, 1843" },
        ],
      },
    ],
  });
});

test("a document is named by its front matter, else by its only first-level heading", () => {
  expect(parseMarkdown("---\ntitle: A\n---\n# B\n\nx").name).toBe("A");
  expect(parseMarkdown("# B\n\nx").name).toBe("B");
  expect(parseMarkdown("# B\n\nx\n\n# C\n\ny")).toMatchObject({
    name: undefined,
    sections: [{ headings: ["B"] }, { headings: ["C"] }],
  });
  expect(parseMarkdown("---\ntitle: [unclosed\n---\n\nx").name).toBeUndefined();
});

test("short paragraphs are joined, long ones are split at sentence ends", () => {
  const prose = (text: string): Block => ({ kind: "prose", text });
  expect(splitIntoPassages([prose("One."), prose("Two.")])).toEqual(["One.\n\nTwo."]);
  const sentence = "This sentence is repeated until the paragraph is too long. ";
  const pieces = splitIntoPassages([prose(sentence.repeat(60).trim())]);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(piece).toMatch(/^This .*long\.$/s);
});

test("splitting loses nothing and bounds the size", () => {
  const block = fc.record({
    kind: fc.constantFrom<Block["kind"]>("prose", "code"),
    text: fc.oneof(
      fc.lorem({ mode: "sentences", maxCount: 60 }),
      fc.string({ minLength: 1, maxLength: 3000 }),
      fc.string({ unit: fc.constantFrom("猫", "。", "語"), minLength: 1, maxLength: 3000 }),
      fc.integer({ min: 1, max: 4000 }).map((length) => "x".repeat(length)),
    ),
  });
  const withoutSpace = (texts: readonly string[]) => texts.join("").replace(/\s/g, "");
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
      const passages = splitIntoPassages(blocks);
      expect(withoutSpace(passages)).toBe(withoutSpace(blocks.map(({ text }) => text)));
      for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(1200);
    }),
    { numRuns: 50 },
  );
});

test("a section is about its document, or about its heading where the text has that as a name", async () => {
  const text = `# The Brandt family

The Brandt family came from Königsberg.

## Émile Brandt

On the ship Émile Brandt was the doctor.

### Later years

He settled in Valparaíso.

## Youth

Youth was short. A Youthful Émile Brandtson is no Émile Brandt.

## Valparaíso

The bay of Valparaíso is wide.

## Émile Brandt's ship

\`\`\`text
Émile Brandt's ship
\`\`\`
`;
  const passages = await documentPassages("family.md", text);
  expect(passages.map(({ title }) => title)).toEqual([
    "The Brandt family",
    "Émile Brandt (The Brandt family)",
    "Émile Brandt (The Brandt family › Later years)",
    "The Brandt family (Youth)",
    "Valparaíso (The Brandt family)",
    "The Brandt family (Émile Brandt's ship)",
  ]);
});
