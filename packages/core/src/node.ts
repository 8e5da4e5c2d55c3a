export { FileDirectory } from "./directory/file.js";
