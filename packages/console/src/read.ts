export { isDocument, type Document } from "./read/document-passages.js";
export { findInputs, STDIN, type Input, type FindOptions } from "./read/inputs.js";
export { ReadError } from "./read/json-lines.js";
export { allPassages, readPassages, type ReadOptions, type SourcedPassage } from "./read/passages.js";
export { readText } from "./read/text-file.js";
