/** A relation between two named things, as a noun ("the director of X") and as a verb ("X was directed by"). */
export interface Relation {
  readonly noun: string;
  /** Shares no word with the noun, where English allows. */
  readonly verb: string;
}

export const RELATIONS: readonly Relation[] = [
  relation("director", "filmed"),
  relation("founder", "established"),
  relation("editor", "revised"),
  relation("composer", "scored"),
  relation("publisher", "printed"),
  relation("owner", "bought"),
  relation("translator", "rendered"),
  relation("teacher", "schooled"),
  relation("designer", "drawn"),
  relation("producer", "financed"),
  relation("author", "written"),
  relation("architect", "built"),
  relation("sponsor", "paid"),
  relation("mentor", "guided"),
  relation("rival", "opposed"),
  relation("successor", "followed"),
  relation("predecessor", "preceded"),
  relation("mother", "born"),
  relation("guardian", "raised"),
  relation("employer", "hired"),
  relation("spouse", "married"),
  relation("conductor", "rehearsed"),
  relation("discoverer", "found"),
  relation("leader", "headed"),
  relation("captain", "commanded"),
  relation("promoter", "advertised"),
  relation("lawyer", "defended"),
  relation("inventor", "devised"),
  relation("agent", "represented"),
  relation("host", "welcomed"),
  relation("biographer", "described"),
  relation("curator", "exhibited"),
];

function relation(noun: string, verb: string): Relation {
  return { noun, verb };
}
