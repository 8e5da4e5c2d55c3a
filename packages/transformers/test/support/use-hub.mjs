// Preloaded by the README's programs: models come from the hub of the tests, and nothing is kept.
import { env as processEnv } from "node:process";
import { env } from "@xenova/transformers";

env.remoteHost = processEnv.TRIGRAPH_TEST_HUB;
env.useFSCache = false;
