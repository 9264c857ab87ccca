import { createRequire } from "node:module";
import type * as ajv from "ajv/dist/2020.js";
import type formats from "ajv-formats";
import { isAddress, isNetwork } from "./network.ts";
import { canonicalOrigin } from "./origin.ts";

const load = createRequire(import.meta.url);

/** The formats of our own. */
export const ownFormats = {
  address: isAddress,
  network: isNetwork,
  origin: (text: string): boolean => canonicalOrigin(text) !== undefined,
};

/** Loads ajv, which costs more than a command on the command line may: only for what has no check yet. */
export function openEngine(more: ajv.Options = {}): ajv.Ajv2020 {
  const { Ajv2020: Engine } = load("ajv/dist/2020.js") as typeof ajv;
  const { default: addFormats } = load("ajv-formats/dist/index.js") as { readonly default: typeof formats };
  const options = {
    allErrors: true,
    verbose: true,
    strict: false,
    strictNumbers: true,
    logger: false,
    meta: false,
    validateSchema: false,
    ...more,
  } as const;
  const engine = addFormats(new Engine(options)).addFormat("path", true).addFormat("uri", true);
  for (const [name, check] of Object.entries(ownFormats)) engine.addFormat(name, check);
  return engine;
}
