import { project } from "../vitest.base.js";

export default project("workspace", {
  include: ["**/*.test.ts"],
  exclude: ["node_modules/**", ".tmp/**"],
});
