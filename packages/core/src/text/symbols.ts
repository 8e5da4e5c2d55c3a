/** Marks after which a capital is due to position: an opening quotation mark, a colon, a bullet, [. */
export function opensPhrase(unit: number): boolean {
  return (
    isDoubleQuote(unit) || opensQuote(unit) || unit === 0x3a || unit === 0x2018 || unit === 0x2022 || unit === 0x5b
  );
}

/** " “ « and the `` of tokenised texts. */
export function opensQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x201c || unit === 0x201e || unit === 0xab || unit === 0x60;
}

export function isDoubleQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x201c || unit === 0x201d || unit === 0xab || unit === 0xbb;
}

export function isHyphen(unit: number): boolean {
  return unit === 0x2d || unit === 0x2010 || unit === 0x2011 || unit === 0x2013;
}

export function isCurrency(unit: number): boolean {
  return unit === 0x24 || unit === 0xa3 || unit === 0xa5 || unit === 0x20ac || unit === 0x20b9;
}
