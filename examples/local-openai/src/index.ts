export type { Failure } from "./failures.js";
export type { RecordedRequest } from "./requests.js";
export { startLocalOpenAi, type LocalOpenAi, type LocalOpenAiOptions } from "./server.js";
