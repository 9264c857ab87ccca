import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@pergola/sdk/testing";
import { filesBelow, read, root } from "../architecture/tree.ts";

const compile = [
  ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"],
  ["--target", "es2023", "--module", "preserve", "--customConditions", "source"],
  ["--types", "node,mocha"],
].flat();

/** Somebody who follows a page of the documentation, starting in an empty folder. */
export interface PageReader {
  readonly folder: string;
  /** Paths: the files that the page shows in full, in its order, or those of the example that it explains. */
  readonly files: readonly string[];
  /** Every line of the page's `sh` blocks. */
  readonly commands: readonly string[];
  read(file: string): string;
  write(file: string, text: string): void;
  /** Runs a line of a shell in the folder and resolves with its output. */
  run(command: string): Promise<string>;
  /** The files with a type error, once for each error. */
  typeFaults(...sources: readonly string[]): Promise<readonly string[]>;
}

interface PageFile {
  readonly file: string;
  readonly text: string;
}

/**
 * Writes the files of a page into an empty folder. A file is a block of JSON or TypeScript below a line that
 * ends with its path, as in "`index.ts`:". A page that walks through an example has the example copied. The
 * packages that the page installs are those of this tree.
 */
export function pageReader(page: string, example?: string): PageReader {
  const text = read(page);
  const files = example === undefined ? filesOn(text) : filesOf(example);
  const folder = temporaryFolder("pergola-reader-");
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block = ""]) => block);
  const env = {
    ...process.env,
    NODE_OPTIONS: "--conditions=source --import=tsx",
    PATH: `${path.join(folder, "node_modules", ".bin")}:${process.env["PATH"]}`,
  };
  const reader: PageReader = {
    folder,
    files: files.map(({ file }) => file),
    commands: blocks.flatMap((block) => block.trim().split("\n")),
    read: (file) => readFileSync(path.join(folder, file), "utf8"),
    write(file, content) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    },
    async run(command) {
      try {
        return (await promisify(execFile)("sh", ["-c", command], { cwd: folder, env })).stdout;
      } catch (error) {
        const failure = error as Error & { readonly stdout: string };
        failure.message += `\n${failure.stdout}`;
        throw failure;
      }
    },
    async typeFaults(...sources) {
      const output = await reader
        .run(`tsc ${[...compile, ...sources].join(" ")}`)
        .catch((error: unknown) => (error as { readonly stdout: string }).stdout);
      return output.match(/^[\w./-]+\.ts(?=\(\d+)/gm) ?? [];
    },
  };
  for (const one of files) reader.write(one.file, one.text);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return reader;
}

const filesOn = (page: string): readonly PageFile[] =>
  [...page.matchAll(/`([\w./-]+)`:\n\n```(?:json|ts)\n([^]*?)```/g)].map(([, file = "", text = ""]) => ({
    file,
    text,
  }));

const filesOf = (example: string): readonly PageFile[] =>
  filesBelow(example)
    .filter((file) => /\.(ts|json)$/.test(file))
    .map((file) => ({ file: path.relative(example, file), text: read(file) }));
