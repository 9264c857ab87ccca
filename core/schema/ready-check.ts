import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "@pergola/sdk";
import { ownFormats } from "./engine.ts";

/** The folder of the checks that the build has made; there is none beside sources. */
const folder = new URL("./checks/", import.meta.url);
const load = createRequire(import.meta.url);

/** The name of the file with a schema's check: schemas that say the same share one. */
export const checkFile = (schema: JsonSchema): string =>
  `${createHash("sha256").update(JSON.stringify(schema)).digest("hex")}.cjs`;

/** What a text of a format must be, by the format's name. */
const formats = (): object => {
  const { fullFormats } = load("ajv-formats/dist/formats.js") as { readonly fullFormats: object };
  return { ...fullFormats, ...ownFormats };
};

/** What checks take of ajv: how a text's characters are counted. */
const required = (): unknown => load("ajv/dist/runtime/ucs2length.js");

/** The check of a schema that came with a package, made when that was built; undefined for any other. */
export function readyCheck(schema: JsonSchema, from: URL = folder): ValidateFunction | undefined {
  const file = fileURLToPath(new URL(checkFile(schema), from));
  if (!existsSync(file)) return undefined;
  return (load(file) as (...given: readonly unknown[]) => ValidateFunction)(formats, required);
}
