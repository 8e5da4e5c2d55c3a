const MONTHS: ReadonlySet<string> = new Set(
  (
    "january february march april may june july august september october november december " +
    "jan feb mar apr jun jul aug sep sept oct nov dec"
  ).split(" "),
);

const WEEKDAYS: ReadonlySet<string> = new Set(
  "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays".split(
    " ",
  ),
);

/** @param folded a word as `fold` leaves it */
export function isMonth(folded: string): boolean {
  return MONTHS.has(folded);
}

/** @param folded a word as `fold` leaves it */
export function isWeekday(folded: string): boolean {
  return WEEKDAYS.has(folded);
}

/** A number of four digits from 1000 to 2099. */
export function isYear(term: string): boolean {
  if (term.length !== 4) return false;
  const year = Number(term);
  return Number.isInteger(year) && year >= 1000 && year <= 2099;
}
