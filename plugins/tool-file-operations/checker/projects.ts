import type { ParseConfigHost, ParsedCommandLine } from "typescript";
import type { TypeScript } from "./messages.ts";
import { projectFiles } from "./project-files.ts";
import type { WaitingFiles } from "./waiting-files.ts";

const names = ["tsconfig.json", "jsconfig.json"];
const isTypeScript = /\.[cm]?tsx?$/;

/** What a file without a project is checked with: little is asked of it, as nobody said what to ask. */
const lenient = {
  strict: false,
  jsx: 1,
  allowImportingTsExtensions: true,
  module: 200,
  moduleResolution: 100,
  target: 99,
};

type ParsedConfig = Pick<ParsedCommandLine, "fileNames" | "options" | "projectReferences">;

/** Finds the project that each file belongs to. Settings are read as data; nothing of the project is run. */
export class Projects {
  readonly #ts: TypeScript;
  readonly #files: WaitingFiles;
  readonly #root: string;
  readonly #host: ParseConfigHost;
  readonly #parsed = new Map<string, ParsedConfig>();

  constructor(ts: TypeScript, files: WaitingFiles, root: string) {
    this.#ts = ts;
    this.#files = files;
    this.#root = root;
    this.#host = {
      useCaseSensitiveFileNames: true,
      fileExists: (path) => files.isFile(path),
      readFile: (path) => files.read(path),
      readDirectory: (folder, extensions, excludes, includes) =>
        projectFiles(files, folder, { extensions, includes, excludes: excludes ?? [] }),
    };
  }

  /**
   * The projects of the given files; TypeScript files below no settings file share a lenient one, others
   * without are left out.
   */
  of(paths: readonly string[]): ReadonlyMap<ParsedConfig, readonly string[]> {
    const groups = new Map<ParsedConfig, readonly string[]>();
    const loose: string[] = [];
    for (const path of paths) {
      const config = this.#configAbove(path);
      if (config === undefined) {
        if (isTypeScript.test(path)) loose.push(path);
        continue;
      }
      const project = this.#projectWith(path, config);
      if (project !== undefined) groups.set(project, [...(groups.get(project) ?? []), path]);
    }
    if (loose.length > 0) groups.set({ fileNames: loose, options: lenient }, loose);
    return groups;
  }

  #configAbove(path: string): string | undefined {
    for (
      let folder = path.slice(0, path.lastIndexOf("/"));
      folder.startsWith(this.#root);
      folder = folder.slice(0, folder.lastIndexOf("/"))
    ) {
      const found = names.map((name) => `${folder}/${name}`).find((config) => this.#files.isFile(config));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The project itself, or one that it refers to, if it holds the file. */
  #projectWith(path: string, config: string): ParsedConfig | undefined {
    const parsed = this.#parse(config);
    const others = (parsed.projectReferences ?? []).map(({ path: other }) =>
      this.#parse(other.endsWith(".json") ? other : `${other}/tsconfig.json`),
    );
    return [parsed, ...others].find(({ fileNames }) => fileNames.includes(path));
  }

  #parse(config: string): ParsedConfig {
    const known = this.#parsed.get(config);
    if (known !== undefined) return known;
    const host = this.#host;
    const folder = config.slice(0, config.lastIndexOf("/"));
    const json: unknown = this.#ts.readConfigFile(config, (path) => host.readFile(path)).config;
    const parsed = this.#ts.parseJsonConfigFileContent(json ?? {}, host, folder, undefined, config);
    this.#parsed.set(config, parsed);
    return parsed;
  }
}
