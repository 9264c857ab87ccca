import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { connectionOf, type Connection } from "../../../plugins/bridge-connect/connect.ts";
import { root } from "../../architecture/tree.ts";
import { built } from "../../support/pergola.ts";
import type { Feature } from "./feature.ts";
import type { StoneTool } from "./model.ts";
import type { Command } from "./running.ts";

/** Where a client is driven: folders of its own, and the address it is given as that of its model. */
export interface Place {
  /** Pergola's address, without a path. */
  readonly url: string;
  /** The model's name at Pergola. */
  readonly model: string;
  /** The address of the scripted model itself, for a service that the client starts. */
  readonly provider: string;
  /** The folder with the client's `node_modules`. */
  readonly packages: string;
  /** The folder of the Node that runs it. */
  readonly bin: string;
  /** The client's home: its settings and sessions. */
  readonly home: string;
  /** The folder it works in; the stones lie in `quarry`. */
  readonly work: string;
}

/** One turn of a person. */
export interface Turn {
  readonly prompt: string;
  readonly feature: Feature;
  /** What the client wrote in the session's first turn, when this is its second. */
  readonly before?: string;
}

/** A program that people use, and how it is used with Pergola. */
export interface Client {
  readonly name: string;
  /** The row of "Use it from …" that it proves, by its name in `pergola connect`. */
  readonly row?: string;
  /** The npm packages it consists of; the first is the client itself. */
  readonly packages: readonly string[];
  /** Features that it does not have where it can be driven without a person. */
  readonly lacks?: readonly Feature[];
  /** It comes for Pergola's tools, not for a model. */
  readonly isMcp?: boolean;
  /** Its own tool with which the model reads a stone. */
  readonly tool: StoneTool;
  /** Writes its settings. */
  prepare?(place: Place): void | Promise<void>;
  /** A command that ends with 0 where the client can run at all. */
  check(place: Place): Command;
  command(turn: Turn, place: Place): Command;
  /** What the person sees, of all that the client wrote. */
  answer(output: string): string;
}

/** A file of a client's settings below its home. */
export function writeSettings({ home }: Place, file: string, content: string | object): void {
  const full = path.join(home, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content, null, 2));
}

/** What `pergola connect` says for a client in a place. */
export function connectionIn({ home, url, model }: Place, name: string): Connection {
  const facts = { contextTokens: 128_000, outputTokens: 16_000, callsTools: true, seesPictures: true };
  const models = [model, "embedded/guide"].map((id) => ({ id, facts }));
  const service = { url, model, models, program: ["pergola"], isOnPath: true, options: [] };
  const environment = { XDG_CONFIG_HOME: path.join(home, ".config") };
  return connectionOf(name, service, { platform: "linux", home, environment })!;
}

/** Writes the settings that `pergola connect` has for the client, with a change for another variant of it. */
export function connect(place: Place, name: string, change = (text: string): string => text): void {
  const { file, text } = connectionIn(place, name);
  writeSettings(place, path.relative(place.home, file ?? ""), change(text));
}

/** With these a program of a place finds `pergola` by its name, and the Node that it was built with. */
export const withPergola = ({ home }: Place): Readonly<Record<string, string>> => ({
  PATH: [path.join(home, "bin"), path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter),
});

/** Installs `pergola`, and has it write the settings of the client, as a person would. */
export async function connectByCommand(place: Place, name: string, ...options: string[]): Promise<void> {
  const { home } = place;
  await built();
  const program = path.join(home, "bin", "pergola");
  mkdirSync(path.dirname(program), { recursive: true });
  symlinkSync(path.join(root, "core", "dist", "main.cjs"), program);
  const env = { ...withPergola(place), HOME: home, XDG_CONFIG_HOME: path.join(home, ".config") };
  await promisify(execFile)(program, ["connect", name, "--write", "--yes", ...options], { cwd: home, env });
}

/** Settings with which a service that the client starts asks the scripted model. */
export const writeServiceSettings = (place: Place): void =>
  writeSettings(place, ".config/pergola/pergola.config.json", {
    default_model: place.model,
    "providers.list": [{ type: "custom", base_url: place.provider, retry_count: 0 }],
    "models.overrides": { [place.model]: { supportsTools: true } },
    "memory.embedding_model": "",
  });

/** The program of that name in the client's packages. */
export const program = ({ packages }: Place, name: string): string =>
  path.join(packages, "node_modules", ".bin", name);

/** Prints the program's version. */
export const versionOf =
  (name: string) =>
  (place: Place): Command => ({ words: [program(place, name), "--version"] });

/** The lines of an output that are JSON objects. */
export function jsonLines<T>(output: string): readonly T[] {
  return output.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value as T] : [];
    } catch {
      return [];
    }
  });
}
