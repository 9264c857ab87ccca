import type { CompilerHost, SourceFile } from "typescript";
import type { TypeScript } from "./messages.ts";
import type { WaitingFiles } from "./waiting-files.ts";

type Reader = Pick<WaitingFiles, "read" | "isFile" | "real">;

/**
 * Reads the compiler's own library files from its package, everything else through the door; writes nothing.
 */
export function compilerHost(ts: TypeScript, files: WaitingFiles, root: string): CompilerHost {
  const libraryFolder = ts.getDefaultLibFilePath({}).replace(/[^/]*$/, "");
  const library: Reader = {
    read: (path) => ts.sys.readFile(path),
    isFile: (path) => ts.sys.readFile(path) !== undefined,
    real: (path) => path,
  };
  const readerOf = (path: string): Reader => (path.startsWith(libraryFolder) ? library : files);
  const sources = new Map<string, SourceFile>();
  return {
    fileExists: (path) => readerOf(path).isFile(path),
    readFile: (path) => readerOf(path).read(path),
    directoryExists: (path) => files.isFolder(path),
    getDirectories: (path) =>
      (files.list(path) ?? []).filter(([, isFolder]) => isFolder).map(([name]) => name),
    realpath: (path) => readerOf(path).real(path),
    getSourceFile(path, options) {
      const known = sources.get(path);
      if (known !== undefined) return known;
      const reader = readerOf(path);
      const text = reader.read(path);
      if (text === undefined) return undefined;
      const source = ts.createSourceFile(path, text, options);
      if (reader === library) sources.set(path, source);
      return source;
    },
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    getCurrentDirectory: () => root,
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
}
