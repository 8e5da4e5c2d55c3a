import { NodeParser } from "@llamaindex/core/node-parser";
import { buildNodeFromSplits, type TextNode } from "@llamaindex/core/schema";

/** Cuts documents at line ends. */
export class LineParser extends NodeParser<TextNode[]> {
  protected parseNodes(documents: TextNode[]): TextNode[] {
    return documents.flatMap((document) => buildNodeFromSplits(document.text.split("\n"), document));
  }
}
