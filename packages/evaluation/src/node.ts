export { readData, type Data, type DataFiles, type Source } from "./data/files.js";
export { METHODS, methodsNamed, type OwnFusion } from "./methods/registry.js";
export { readFusion, writeFusion } from "./training/model-file.js";
export { readTrainingPlan, type PlanOptions } from "./training/plan.js";
export { readReport, writeReport, type StoredReport } from "./report/files.js";
export { type Table } from "./report/tables.js";
export { drawTables } from "./report/terminal.js";
