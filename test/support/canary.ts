import { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { ServerResponse } from "node:http";
import path from "node:path";

/**
 * The key of the scripted provider in every stage of the suite; it may be seen nowhere but at that provider.
 */
export const canary = {
  variable: "CANARY_API_KEY",
  value: `cnry-suite-${randomBytes(16).toString("hex")}`,
} as const;

/** What a child process is started with. */
interface Started {
  readonly file: string;
  readonly envPairs?: readonly string[];
}

const forms = [canary.value, Buffer.from(canary.value).toString("base64"), encodeURIComponent(canary.value)];
const leaks = new Set<string>();

/** Bytes: larger files of a test are its own make. */
const largest = 64 * 1024 * 1024;

function searchable(data: unknown): string | Buffer {
  if (typeof data === "string") return data;
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return "";
}

function look(data: unknown, where: () => string): void {
  const text = searchable(data);
  if (forms.some((form) => text.includes(form))) leaks.add(where());
}

/** Looks at what a function is given before it does its work. */
function watch<T extends object>(
  owner: T,
  name: keyof T,
  where: (self: T, given: unknown) => (() => string) | undefined,
): void {
  const work = owner[name] as (...given: unknown[]) => unknown;
  const watched = function (this: T, ...given: unknown[]): unknown {
    const told = where(this, given[0]);
    if (told !== undefined) look(given[0], told);
    return work.apply(this, given);
  };
  Object.assign(owner, { [name]: watched });
}

/**
 * From now on: every answer of a host in this process (they carry a request id), every line that is written,
 * every child's environment.
 */
export function watchForCanary(): void {
  const answers = (response: ServerResponse) =>
    response.hasHeader("x-request-id")
      ? () => `an answer to ${response.req.method ?? ""} ${response.req.url ?? ""}`
      : undefined;
  watch(ServerResponse.prototype, "write", answers);
  watch(ServerResponse.prototype, "end", answers);
  watch(process.stdout, "write", () => () => "a line of standard output");
  watch(process.stderr, "write", () => () => "a line of the log");
  const children = ChildProcess.prototype as unknown as { spawn: (options: Started) => unknown };
  const { spawn } = children;
  children.spawn = function (this: unknown, options: Started) {
    look((options.envPairs ?? []).join("\n"), () => `the environment of ${options.file}`);
    return spawn.call(this, options);
  };
}

/** Every file below a folder, as it is now, if it is there. */
export function lookInFiles(folder: string): void {
  for (const entry of existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : []) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && statSync(file).size <= largest)
      look(readFileSync(file), () => `the file ${path.relative(folder, file)}`);
  }
}

/** Where the canary was seen and should not have been. */
export const canarySeen = (): readonly string[] => [...leaks];
