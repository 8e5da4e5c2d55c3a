export { FileDirectory } from "./directory/file.js";
export { FileVectorCache } from "./directory/vector-file.js";
