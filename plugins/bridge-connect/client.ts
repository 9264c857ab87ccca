import type { Json, JsonObject } from "@pergola/sdk";

/** A computer, as far as programs lay their settings by it. */
export interface Computer {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A model that the service offers. */
export interface OfferedModel {
  readonly id: string;
  /** Absent where nobody knows them. */
  readonly facts?: ModelFacts;
}

export interface ModelFacts {
  /** Tokens of what it reads and writes in one call. */
  readonly contextTokens: number;
  /** Most tokens of an answer. */
  readonly outputTokens: number;
  readonly callsTools: boolean;
  readonly seesPictures: boolean;
}

/** What a client is told of the service. */
export interface Service {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** The model to begin with. */
  readonly model: string;
  /** That one, and then the others. */
  readonly models: readonly OfferedModel[];
  /** Absolute words with which any program starts `pergola`. */
  readonly program: readonly string[];
  /** Whether a shell finds `pergola` by its name. */
  readonly isOnPath: boolean;
  /** Options with which the command line finds the same service. */
  readonly options: readonly string[];
  /** Present where the service lets nobody in without a token. */
  readonly token?: Token;
}

/** Where a client finds its token: settings refer to it and do not hold it. */
export interface Token {
  /** The environment variable. */
  readonly variable: string;
  /** A file that holds it, if the person has named one. */
  readonly file?: string;
}

/** A setting that Pergola has written for another service, and that must not stay. */
export interface Stale {
  readonly path: readonly string[];
  readonly isOurs: (value: Json) => boolean;
}

/** Settings in a file of the client's, which `--write` merges into what is there. */
export type FileSettings =
  | {
      readonly format: "json";
      readonly values: JsonObject | readonly JsonObject[];
      readonly stale?: readonly Stale[];
    }
  | { readonly format: "yaml"; readonly values: JsonObject }
  | { readonly format: "toml"; readonly text: string };

/** Lines to run in a shell, or to follow by hand. */
export type Steps =
  { readonly format: "sh"; readonly text: string } | { readonly format: "steps"; readonly text: string };

export type Settings = FileSettings | Steps;

/** A program that people use, and how it comes to use Pergola. */
export interface Client {
  /** As it is written behind `pergola connect`. */
  readonly name: string;
  readonly title: string;
  /** Programs on the path, and files or folders, by which it is found. */
  readonly programs?: readonly string[];
  readonly places?: (computer: Computer) => readonly string[];
  /** The file that its settings are in; absent = they are in none. */
  readonly file?: (computer: Computer) => string;
  readonly settings: (service: Service) => Settings;
  /** Why its file must not be written on this computer, and what to do. */
  readonly hindrance?: (computer: Computer) => string | undefined;
  /** What its token must allow; absent = `read` and `chat`. */
  readonly scopes?: readonly string[];
  /** It starts `pergola`, which needs no token for a service of the same account. */
  readonly startsPergola?: true;
  /** What the person has to know or do besides. */
  readonly notes?: (service: Service) => readonly string[];
}

/** What stands for a key where a client insists on one and the service wants none. */
export const noKey = "unused";

/** The words with which a client starts a command of Pergola's. */
export function commandOf({ program, options }: Service, ...words: readonly string[]) {
  const [command = "pergola", ...script] = program;
  return { command, args: [...script, ...words, ...options] };
}
