import { InMemoryRecordManager } from "@langchain/community/indexes/memory";

/**
 * LangChain's record manager with a clock that moves on at each look. By the real one, whatever happens in the
 * millisecond in which a run begins counts as older than the run, and is cleaned up by it.
 */
export class TickingRecordManager extends InMemoryRecordManager {
  private time = 0;

  override getTime(): Promise<number> {
    return Promise.resolve(++this.time);
  }
}
