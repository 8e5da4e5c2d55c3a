import { join } from "node:path";
import ts from "typescript";

/**
 * What TypeScript finds wrong with notebooks, as "name: message".
 *
 * @param cells of each notebook, by its name
 */
export function typeErrors(folder: string, cells: ReadonlyMap<string, readonly string[]>): string[] {
  // Deno needs no semicolon after what a cell shows.
  const sources = new Map(Array.from(cells, ([name, texts]) => [join(folder, `${name}.ts`), texts.join("\n;\n")]));
  const options = optionsOf(join(folder, "tsconfig.json"));
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => sources.has(path) || disk.fileExists(path),
    getSourceFile: (path, version, ...others) => {
      const source = sources.get(path);
      if (source === undefined) return disk.getSourceFile(path, version, ...others);
      return ts.createSourceFile(path, source, version);
    },
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...sources.keys()], options, host));
  return found.map(({ file, messageText }) => {
    return `${file?.fileName ?? "options"}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

function optionsOf(file: string): ts.CompilerOptions {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }) {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, "\n"));
    },
  };
  // A notebook may import what its reader goes on with.
  return { ...ts.getParsedCommandLineOfConfigFile(file, {}, host)!.options, noUnusedLocals: false };
}
