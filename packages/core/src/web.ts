export { BrowserDirectory } from "./directory/browser.js";
