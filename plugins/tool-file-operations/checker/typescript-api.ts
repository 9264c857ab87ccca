/**
 * The part of the TypeScript compiler's interface that is used; the compiler is found at run time or not at
 * all.
 */
export interface TypeScript {
  readonly sys: { readFile(path: string): string | undefined };
  readonly DiagnosticCategory: { readonly Error: number };
  createProgram(rootNames: readonly string[], options: CompilerOptions, host: CompilerHost): Program;
  createSourceFile(path: string, text: string, options: unknown): SourceFile;
  readConfigFile(path: string, readFile: (path: string) => string | undefined): { readonly config?: unknown };
  parseJsonConfigFileContent(
    json: unknown,
    host: ConfigHost,
    folder: string,
    existing?: CompilerOptions,
    path?: string,
  ): ParsedConfig;
  getDefaultLibFilePath(options: CompilerOptions): string;
  flattenDiagnosticMessageText(text: unknown, lineEnd: string): string;
}

export type CompilerOptions = Readonly<Record<string, unknown>>;

export interface SourceFile {
  getLineAndCharacterOfPosition(at: number): { readonly line: number; readonly character: number };
}

export interface ParsedConfig {
  readonly fileNames: readonly string[];
  readonly options: CompilerOptions;
  readonly projectReferences?: readonly { readonly path: string }[];
}

export interface Diagnostic {
  readonly category: number;
  readonly code: number;
  readonly start?: number;
  readonly messageText: unknown;
}

export interface Program {
  getSourceFile(path: string): SourceFile | undefined;
  getSyntacticDiagnostics(file: SourceFile): readonly Diagnostic[];
  getSemanticDiagnostics(file: SourceFile): readonly Diagnostic[];
}

export interface ConfigHost {
  readonly useCaseSensitiveFileNames: boolean;
  fileExists(path: string): boolean;
  readFile(path: string): string | undefined;
  readDirectory(
    folder: string,
    extensions: readonly string[],
    excludes: readonly string[] | undefined,
    includes: readonly string[],
  ): readonly string[];
}

export interface CompilerHost {
  fileExists(path: string): boolean;
  readFile(path: string): string | undefined;
  directoryExists(path: string): boolean;
  getDirectories(path: string): string[];
  realpath(path: string): string;
  getSourceFile(path: string, options: unknown): SourceFile | undefined;
  getDefaultLibFileName(options: CompilerOptions): string;
  getCurrentDirectory(): string;
  getCanonicalFileName(path: string): string;
  useCaseSensitiveFileNames(): boolean;
  getNewLine(): string;
  writeFile(): void;
}
