// The script of a pool whose analyzer does what a text tells it to.
import { EnglishAnalyzer } from "@trigraph/core";
import { serveAnalyzer } from "@trigraph/core/node";

const english = new EnglishAnalyzer();
const moods = {
  throw: () => {
    throw new RangeError("I will not");
  },
  exit: () => process.exit(3),
  hang: () => {
    for (;;);
  },
  exhaust: () => {
    const all = [];
    for (;;) all.push(new Array(1e6).fill(all.length));
  },
};

serveAnalyzer({
  id: "moody/1",
  analyze: (text) => {
    moods[text]?.();
    return english.analyze(text);
  },
});
