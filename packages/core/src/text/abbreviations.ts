/** Abbreviations whose period ends no sentence: something always follows them. */
const LEADING: ReadonlySet<string> = new Set(
  (
    "mr mrs ms messrs mme mlle dr drs prof st ste fr sr rev revd hon gen col maj capt cpt cmdr lt sgt cpl adm brig " +
    "sen rep gov pres amb supt insp det vs cf ca approx aka eg ie viz mt ft ave blvd rd bros"
  ).split(" "),
);

/** Those of the trailing ones that are common in small letters; the others are words then ("ill", "sun"). */
const TRAILING_SMALL: ReadonlySet<string> = new Set("jr sr esq inc co corp ltd etc al dept".split(" "));

/** Abbreviations that may end a sentence: its period is both. */
const TRAILING: ReadonlySet<string> = new Set(
  (
    "jr sr esq inc co corp ltd llc plc phd ba ma md bc ad " +
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun " +
    "ala ariz ark calif colo conn del fla ga ill ind kan ky la mass mich minn miss mo mont neb nev okla ore pa tenn tex " +
    "va vt wash wis wyo univ dept assn assoc"
  ).split(" "),
);

/** Abbreviations that stand before a number, and are other words otherwise ("No. 5", "he said no."). */
const NUMBERING: ReadonlySet<string> = new Set(
  "no nos vol vols pp p fig figs ch sec art op pt div ed b d r c fl v".split(" "),
);

/** @param lower a word in lower case, without its period */
export function isNumberingAbbreviation(lower: string): boolean {
  return NUMBERING.has(lower);
}

/** @param lower a word in lower case, without its period */
export function isLeadingAbbreviation(lower: string): boolean {
  return LEADING.has(lower);
}

/** @param word a word without its period, as it is spelled */
export function isTrailingAbbreviation(word: string): boolean {
  const lower = word.toLowerCase();
  return lower === word ? TRAILING_SMALL.has(lower) : TRAILING.has(lower);
}
