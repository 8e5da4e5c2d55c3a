import { project } from "../../vitest.base.js";

export default project("llamaindex", {
  // One load of LlamaIndex for all files: they leave its Settings as they were.
  isolate: false,
});
