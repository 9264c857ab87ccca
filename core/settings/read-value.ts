import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject, type Json, type JsonObject, type JsonSchema } from "@pergola/sdk";
import type { Environment } from "@pergola/sdk/host";
import { canonicalOrigin } from "../schema/origin.ts";
import type { StoredSecrets } from "./stored-secrets.ts";

/** What values may refer to. Faults and secrets found while reading are added to the lists. */
export interface Reader {
  readonly environment: Environment;
  readonly home: string;
  readonly dataDirectory: string;
  /** The data directory for what was installed there, also for a host that only inspects. */
  readonly installed: string;
  /** The base of relative paths; empty if they are not allowed. */
  readonly folder: string;
  /** Secrets may be plain text, as in the environment. */
  readonly plain: boolean;
  /** The value lies inside one that the schema marks as secret. */
  readonly insideSecret?: boolean;
  /** A secret that is not found is empty, and no fault: for a command that leaves the work to a service. */
  readonly secretsMayMiss?: boolean;
  /** What `{ secret }` refers to. */
  readonly stored: StoredSecrets;
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

/**
 * Resolves a value: fetches secrets from where `{ env }`, `{ file }` and `{ secret }` point, makes paths
 * absolute, and puts origins into the form that browsers send.
 */
export function readValue(value: Json, schema: JsonSchema, place: string, reader: Reader): Json {
  if (typeof value === "string") return readText(value, schema, place, reader);
  const insideSecret = reader.insideSecret === true || schema["x-secret"] === true;
  const inner: Reader = { ...reader, insideSecret };
  if (Array.isArray(value))
    return value.map((item: Json, index) => readValue(item, schema.items ?? {}, `${place}[${index}]`, inner));
  if (!isObject(value)) return value;
  if (insideSecret && /^(env|file|secret)$/.test(Object.keys(value).join()))
    return fetchSecret(value, place, reader);
  const { properties, additionalProperties } = schema;
  const rest = isObject(additionalProperties) && additionalProperties;
  const fields = Object.entries(value).map(([name, item]) => {
    const itemSchema = properties?.[name] ?? (rest || {});
    return [name, readValue(item, itemSchema, `${place}.${name}`, inner)];
  });
  return Object.fromEntries(fields) as JsonObject;
}

function readText(value: string, schema: JsonSchema, place: string, reader: Reader): string {
  if (schema.format === "path" && value !== "") return absolute(value, schema, place, reader);
  if (schema.format === "origin") return canonicalOrigin(value) ?? value;
  if (schema["x-secret"] !== true || value === "") return value;
  if (!reader.plain)
    reader.faults.push(
      `${place} is a secret in plain text; keep it with \`pergola secrets set NAME\` and write ` +
        '{ "secret": "NAME" }, or write { "env": "NAME" } or { "file": "path" }',
    );
  reader.secrets.add(value);
  return value;
}

/** Where a secret is found. */
interface SecretSource {
  readonly env?: string;
  readonly file?: string;
  readonly secret?: string;
}

function fetchSecret(source: SecretSource, place: string, reader: Reader): string {
  try {
    const secret = findSecret(source, place, reader);
    reader.secrets.add(secret);
    return secret;
  } catch (error) {
    if (reader.secretsMayMiss !== true) reader.faults.push(`${place}: ${(error as Error).message}`);
    return "";
  }
}

function findSecret({ env = "", file, secret }: SecretSource, place: string, reader: Reader): string {
  if (secret !== undefined) return reader.stored.get(secret);
  if (file === undefined) {
    const value = reader.environment[env];
    if (value) return value;
    throw new Error(`the variable ${env} is not set`);
  }
  const text = readFileSync(absolute(file, {}, place, reader), "utf8").trim();
  if (text === "") throw new Error("the file is empty");
  return text;
}
