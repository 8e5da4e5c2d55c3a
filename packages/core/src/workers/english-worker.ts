/** The script of a `WorkerPool` that is given none. */
import { EnglishAnalyzer } from "../text/english-analyzer.js";
import { serveAnalyzer } from "./serve.js";

serveAnalyzer(new EnglishAnalyzer());
