import { readFileSync } from "node:fs";
import path from "node:path";
import type { Json, JsonObject, JsonSchema } from "@pergola/sdk";

/**
 * Where a value stands, and what it may refer to. Faults and secrets met on the way are added to the lists.
 */
export interface Reader {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataDirectory: string;
  /** The same for what was installed there, which a host that only looks is to see. */
  readonly installed: string;
  /** Where relative paths begin; empty where none are taken. */
  readonly folder: string;
  /** Secrets may stand in plain text, as in the environment. */
  readonly plain: boolean;
  readonly faults: string[];
  readonly secrets: Set<string>;
}

function absolute(
  text: string,
  schema: JsonSchema,
  place: string,
  { folder, home, dataDirectory, installed, faults }: Reader,
): string {
  const full = text
    .replace(/^~(?=$|\/)/, home)
    .replace(/^<data>/, schema["x-installed"] === true ? installed : dataDirectory);
  if (folder === "" && !path.isAbsolute(full))
    faults.push(`${place} must be an absolute path, or begin with ~/ or <data>/`);
  return path.resolve(folder, full);
}

/** A value as it is meant: secrets fetched from where `{ env }` and `{ file }` say, paths absolute. */
export function readValue(
  value: Json,
  schema: JsonSchema,
  place: string,
  reader: Reader,
  within = false,
): Json {
  const secret = within || schema["x-secret"] === true;
  if (typeof value === "string") return readText(value, schema, place, reader);
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      readValue(item, schema.items ?? {}, `${place}[${index}]`, reader, secret),
    );
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value as JsonObject);
  if (secret && fields.length === 1 && /^(env|file)$/.test(fields[0]![0]))
    return fetchSecret(value as { readonly env?: string }, place, reader);
  const rest = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  const read = (name: string, item: Json): Json =>
    readValue(item, schema.properties?.[name] ?? rest, `${place}.${name}`, reader, secret);
  return Object.fromEntries(fields.map(([name, item]) => [name, read(name, item)]));
}

function readText(value: string, schema: JsonSchema, place: string, reader: Reader): string {
  if (schema.format === "path" && value !== "") return absolute(value, schema, place, reader);
  if (schema["x-secret"] !== true || value === "") return value;
  if (!reader.plain)
    reader.faults.push(
      `${place} is a secret in plain text; write { "env": "NAME" } or { "file": "path" } instead`,
    );
  reader.secrets.add(value);
  return value;
}

function fetchSecret(
  { env = "", file }: { readonly env?: string; readonly file?: string },
  place: string,
  reader: Reader,
): string {
  try {
    const found =
      file === undefined
        ? reader.environment[env]
        : readFileSync(absolute(file, {}, place, reader), "utf8").trim();
    if (!found) throw new Error(file === undefined ? `the variable ${env} is not set` : "the file is empty");
    reader.secrets.add(found);
    return found;
  } catch (error) {
    reader.faults.push(`${place}: ${(error as Error).message}`);
    return "";
  }
}
