/** Words of English grammar: articles, pronouns, prepositions, conjunctions, auxiliaries, question words. By themselves they name nothing. */
const FUNCTION_WORDS = setOf(
  "a an the this that these those each every either neither both all any some no none such another other others " +
    "i you he she it we they me him her us them my your his its our their mine yours hers ours theirs " +
    "myself yourself himself herself itself ourselves themselves who whom whose which what where when why how " +
    "whoever whatever whichever wherever whenever someone anyone everyone nobody somebody anybody everybody " +
    "something anything everything nothing there here " +
    "of in on at by for from to with without within into onto upon over under above below between among amongst " +
    "amid through throughout during before after since until till against about around across along beside besides " +
    "beyond behind near off out outside inside up down toward towards via per despite except unlike like as than " +
    "and or but nor so yet if unless because although though while whereas whether lest " +
    "is am are was were be been being do does did done has have had having can could shall should will would may " +
    "might must ought cannot dont not",
);

/** Adverbs and adjectives that open sentences: function words there, and only there. */
const SENTENCE_OPENERS = setOf(
  "never also then thus hence therefore however moreover furthermore meanwhile nevertheless nonetheless otherwise " +
    "instead indeed later soon now today just only even still again already often sometimes usually perhaps maybe " +
    "originally initially eventually finally subsequently currently formerly previously recently additionally " +
    "similarly consequently afterwards afterward thereafter too very quite rather many much more most few fewer " +
    "several less least first second third last next following former latter early according due given let yes oh " +
    "well once twice likewise afterward one born based located founded",
);

/** Words of grammar that end titles: "Knocked Up", "This Night Is Still Ours". */
const TITLE_CLOSERS = setOf(
  "up down out off on in over above below behind within without there here us me you him her it them mine ours yours all",
);

/** Prepositions and the like that begin titles: "To Kill a Mockingbird". */
const TITLE_OPENERS = setOf(
  "to in on at by for from with without into over under above below between beyond behind near before after since " +
    "about around across against through up down out off how what when where who why which all no my her his our your " +
    "like as be do is are am was can if so a an i you we they he she it this that these those",
);

/** Small words within names: "Bank of England", "Vincent van Gogh", "Muhammad ibn Musa". */
const PARTICLES = setOf(
  "of de von van the del la da di du der den al bin ibn le les des do dos das zu zum zur af av ap ben bint el ter ten " +
    "y lo las los ul ud",
);

/** Small words that only titles hold: joined where it is certain that a title is going on. */
const TITLE_PARTICLES = setOf("a an and in to for on with at from by or is my your his her");

/** @param folded a word as `fold` leaves it; so in all functions here */
export function isFunctionWord(folded: string): boolean {
  return FUNCTION_WORDS.has(folded);
}

/** Words that, capitalised, show that a sentence begins. */
export function opensSentence(folded: string): boolean {
  return FUNCTION_WORDS.has(folded) || SENTENCE_OPENERS.has(folded);
}

export function opensTitle(folded: string): boolean {
  return TITLE_OPENERS.has(folded);
}

export function closesTitle(folded: string): boolean {
  return TITLE_CLOSERS.has(folded);
}

export function isParticle(folded: string): boolean {
  return PARTICLES.has(folded);
}

export function isTitleParticle(folded: string): boolean {
  return TITLE_PARTICLES.has(folded) || PARTICLES.has(folded);
}

/** "films", but neither "duchess" nor "bus" */
export function isPlural(term: string): boolean {
  return term.endsWith("s") && !term.endsWith("ss") && !term.endsWith("us");
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
