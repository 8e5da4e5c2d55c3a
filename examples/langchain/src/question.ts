/** A question, and its answer where it is known. */
export interface Asked {
  readonly question: string;
  /** Wordings of the right answer; empty when nobody has said. */
  readonly answers: readonly string[];
}

const DEFAULT: Asked = {
  question: "Who is the mother of the director of The Silent Harbour?",
  answers: ["Greta Holm"],
};

/** @param args of the command line: the question's words, with or without quotes around them */
export function readQuestion(args: readonly string[]): Asked {
  const question = args.join(" ").trim();
  return question === "" ? DEFAULT : { question, answers: [] };
}
