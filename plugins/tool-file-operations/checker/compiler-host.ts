import type { CompilerHost, CompilerOptions, SourceFile, TypeScript } from "./typescript-api.ts";
import type { WaitingFiles } from "./waiting-files.ts";

/**
 * Reads the compiler's own library files from its package, everything else through the door; writes nothing.
 */
export function compilerHost(ts: TypeScript, files: WaitingFiles, root: string): CompilerHost {
  const library = ts.getDefaultLibFilePath({}).replace(/[^/]*$/, "");
  const isLibrary = (path: string): boolean => path.startsWith(library);
  const sources = new Map<string, SourceFile>();
  const readFile = (path: string): string | undefined =>
    isLibrary(path) ? ts.sys.readFile(path) : files.read(path);
  return {
    fileExists: (path) => (isLibrary(path) ? ts.sys.readFile(path) !== undefined : files.isFile(path)),
    readFile,
    directoryExists: (path) => files.isFolder(path),
    getDirectories: (path) =>
      (files.list(path) ?? []).filter(([, isFolder]) => isFolder).map(([name]) => name),
    realpath: (path) => (isLibrary(path) ? path : files.real(path)),
    getSourceFile(path, options) {
      const known = sources.get(path);
      if (known !== undefined) return known;
      const text = readFile(path);
      if (text === undefined) return undefined;
      const source = ts.createSourceFile(path, text, options);
      if (isLibrary(path)) sources.set(path, source);
      return source;
    },
    getDefaultLibFileName: (options: CompilerOptions) => ts.getDefaultLibFilePath(options),
    getCurrentDirectory: () => root,
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
}
