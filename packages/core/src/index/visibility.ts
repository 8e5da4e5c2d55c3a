import type { StoredPassage } from "../types.js";
import type { SegmentView, View } from "./view.js";

const UNKNOWN = 0;
const VISIBLE = 1;
const HIDDEN = 2;

/**
 * Which passages a query may see: those alive at its commit that pass its filter. The filter is asked
 * once for each passage that the query touches, not for the corpus.
 */
export class Visibility {
  private readonly view: View;
  private readonly filter: ((passage: StoredPassage) => boolean) | undefined;
  private readonly known: Uint8Array;

  constructor(view: View, filter?: (passage: StoredPassage) => boolean) {
    this.view = view;
    this.filter = filter;
    const last = view.parts.at(-1);
    this.known = new Uint8Array(
      filter === undefined || last === undefined ? 0 : last.passageBase + last.segment.passageCount,
    );
  }

  /** True when no passage of the part is hidden, so that none need be asked for. */
  seesAll(part: SegmentView): boolean {
    return part.isWhole && this.filter === undefined;
  }

  /** True when a visible passage contains the entity with this key. */
  seesEntity(key: number): boolean {
    if (this.filter === undefined) return this.view.entityDegree(key) > 0;
    return this.view.parts.some(({ segment, passageBase }) => {
      const entity = segment.entities.find(key);
      if (entity < 0) return false;
      const { entityPassageIndptr, entityPassages } = segment.arrays;
      for (let i = entityPassageIndptr[entity]; i < entityPassageIndptr[entity + 1]; i++) {
        if (this.isVisible(passageBase + entityPassages[i])) return true;
      }
      return false;
    });
  }

  /** @param number a passage's number in the view */
  isVisible(number: number): boolean {
    const part = this.view.partOfPassage(number);
    if (!part.liveness.isLive(number - part.passageBase)) return false;
    if (this.filter === undefined) return true;
    if (this.known[number] === UNKNOWN) {
      this.known[number] = this.filter(this.view.passage(number)) ? VISIBLE : HIDDEN;
    }
    return this.known[number] === VISIBLE;
  }
}
