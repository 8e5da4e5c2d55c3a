import type { Nodes, RootContent, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { parse as parseYaml } from "yaml";
import type { Document } from "./document-passages.js";
import type { Block, Section } from "./split.js";

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter, ["yaml", "toml"]);

/**
 * A Markdown document as plain text. Its name is the title of its front matter or its only first-level heading.
 * Front matter is no text, nor are HTML, images and link targets; code blocks are.
 */
export function parseMarkdown(text: string): Document {
  const root = parser.parse(text) satisfies Root;
  const tops = root.children.filter((node) => node.type === "heading" && node.depth === 1);
  const onlyTop = tops.length === 1 ? tops[0] : undefined;
  const name = frontMatterTitle(root) ?? (onlyTop && plain(onlyTop));

  const sections: Section[] = [];
  let headings: readonly { depth: number; text: string }[] = [];
  let blocks: Block[] = [];
  const close = () => {
    if (blocks.length > 0) sections.push({ headings: headings.map(({ text }) => text), blocks });
    blocks = [];
  };
  for (const node of root.children) {
    if (node.type !== "heading") blocks.push(...blocksOf(node));
    else {
      close();
      const above = headings.filter(({ depth }) => depth < node.depth);
      const heading = { depth: node.depth, text: plain(node) };
      headings = node === onlyTop || heading.text === "" ? above : [...above, heading];
    }
  }
  close();
  return { name: name === "" ? undefined : name, sections };
}

function blocksOf(node: RootContent): Block[] {
  if (node.type === "paragraph" || node.type === "heading") return prose(plain(node));
  if (node.type === "code") return node.value.trim() === "" ? [] : [{ kind: "code", text: node.value }];
  if (node.type === "blockquote" || node.type === "footnoteDefinition") return node.children.flatMap(blocksOf);
  if (node.type === "table") return prose(lines(node.children, (row) => row.children.map(plain).join(", ")));
  // One block: the items of a list belong together.
  if (node.type === "list") {
    return prose(lines(node.children, (item) => lines(item.children.flatMap(blocksOf), ({ text }) => text)));
  }
  return [];
}

function lines<T>(items: readonly T[], textOf: (item: T) => string): string {
  return items.map(textOf).join("\n");
}

function prose(text: string): Block[] {
  return text === "" ? [] : [{ kind: "prose", text }];
}

function plain(node: Nodes): string {
  return toString(node, { includeImageAlt: false, includeHtml: false }).trim();
}

/** Undefined too when the front matter is none that can be read: it is not what was asked for. */
function frontMatterTitle(root: Root): string | undefined {
  const [first] = root.children;
  if (first?.type !== "yaml") return undefined;
  try {
    const data: unknown = parseYaml(first.value);
    if (typeof data !== "object" || data === null || !("title" in data) || typeof data.title !== "string")
      return undefined;
    return data.title.trim();
  } catch {
    return undefined;
  }
}
