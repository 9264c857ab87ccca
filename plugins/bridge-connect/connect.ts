import { existsSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { clients } from "./clients/index.ts";
import type { Client, Computer, Service, Settings } from "./client.ts";

export type { Computer, OfferedModel, Service, Token } from "./client.ts";
export { planChange, type Change, type Plan } from "./plan-change.ts";
export { quoted } from "./quoted.ts";
export { writeChange } from "./write-change.ts";

/** A client, and where it was found on a computer. */
export interface Listed {
  readonly name: string;
  readonly title: string;
  /** The program or folder by which it was found; null = it was not. */
  readonly found: string | null;
}

/** A client's settings for a service. */
export interface Connection {
  readonly name: string;
  readonly title: string;
  /** The file that they belong in; null = they are lines for a shell or a person. */
  readonly file: string | null;
  readonly settings: Settings;
  /** The settings as text that ends with a line break. */
  readonly text: string;
  /** What a token for it must allow. */
  readonly scopes: readonly string[];
  readonly startsPergola: boolean;
  /** Why the file must not be written; undefined where it may. */
  readonly hindrance: string | undefined;
  readonly notes: readonly string[];
}

function onPath(program: string, { environment, platform }: Computer): string | undefined {
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  return (environment["PATH"] ?? "")
    .split(path.delimiter)
    .filter(Boolean)
    .flatMap((folder) => endings.map((ending) => path.join(folder, program + ending)))
    .find((file) => existsSync(file));
}

function placeOf({ programs = [], places }: Client, computer: Computer): string | null {
  for (const program of programs) {
    const file = onPath(program, computer);
    if (file !== undefined) return file;
  }
  return places?.(computer).find((place) => existsSync(place)) ?? null;
}

/** All clients, and which of them this computer has. */
export const listClients = (computer: Computer): readonly Listed[] =>
  clients.map((client) => ({
    name: client.name,
    title: client.title,
    found: placeOf(client, computer),
  }));

/** The settings as text of their format. */
export function textOf(settings: Settings): string {
  if (settings.format === "json") return `${JSON.stringify(settings.values, null, 2)}\n`;
  if (settings.format === "yaml") return stringify(settings.values, { lineWidth: 0 });
  return settings.text;
}

/** What a client needs to use a service; undefined for a name that no client has. */
export function connectionOf(name: string, service: Service, computer: Computer): Connection | undefined {
  const client = clients.find((one) => one.name === name);
  if (client === undefined) return undefined;
  const settings = client.settings(service);
  return {
    name,
    title: client.title,
    file: client.file?.(computer) ?? null,
    settings,
    text: textOf(settings),
    scopes: client.scopes ?? ["read", "chat"],
    startsPergola: client.startsPergola ?? false,
    hindrance: client.hindrance?.(computer),
    notes: client.notes?.(service) ?? [],
  };
}
