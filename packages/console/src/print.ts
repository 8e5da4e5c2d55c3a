export { renderEvidence, type PassageOf, type Shown } from "./print/evidence.js";
export { beside, hang, padStart, table, wrap } from "./print/layout.js";
export { oneLine, titleOf } from "./print/names.js";
export { endOnClosedPipe, readStyle, type Style } from "./print/style.js";
