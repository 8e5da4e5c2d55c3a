/** How far down each ranking is looked at for a passage; a ranking of more passages is looked at as far as it goes. */
export const RANK_DEPTH = 100;

/** Features named for a passage: the rest move it hardly. */
export const SHOWN_FEATURES = 8;
