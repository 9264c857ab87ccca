// Writes down what each start would otherwise work out anew. The build runs it:
//   node prepare-start.mjs <root of the tree>
// - core/dist/checks: the checks of all schemas that come with the packages, as code, one file each. ajv is
//   loaded only for schemas from outside.
// - plugins/<id>/dist/described.json: what a plugin brings that has only tools, endpoints and providers.
//   Its code is loaded when one of them is called for the first time.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { _ } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { transform } from "esbuild";
import type { JsonSchema, Properties, Route } from "@pergola/sdk";
import { describePlugin, loadPlugin, type CompleteManifest } from "@pergola/sdk/host";
import { schemasOf } from "../core/http/route-schemas.ts";
import { canWait } from "../core/plugins/can-wait.ts";
import { openEngine } from "../core/schema/engine.ts";
import { checkFile } from "../core/schema/ready-check.ts";
import { coreSettings } from "../core/settings/preferences.ts";
import { partsSchema } from "../core/settings/read-settings.ts";
import { argumentsSchema } from "../plugins/service-tools/arguments-schema.ts";

const root = process.argv[2] ?? "";
const read = (...steps: readonly string[]): unknown =>
  JSON.parse(readFileSync(path.join(root, ...steps), "utf8"));

function partsOf(route: Route): readonly (JsonSchema | undefined)[] {
  const { params, query, body } = schemasOf(route);
  return [params, query, body];
}

/** The schemas of what a plugin brings: its settings, and what its code takes. */
async function schemasIn(id: string): Promise<readonly (JsonSchema | undefined)[]> {
  const { settings = {}, provides = {} } = read("plugins", id, "plugin.json") as {
    readonly settings?: Properties;
    readonly provides?: CompleteManifest["provides"];
  };
  const dist = path.join(root, "plugins", id, "dist");
  const entry = path.join(dist, "index.js");
  if (!existsSync(entry)) return Object.values(settings);
  const plugin = await loadPlugin(entry);
  if (canWait(plugin, provides))
    writeFileSync(path.join(dist, "described.json"), JSON.stringify(describePlugin(plugin)));
  const { endpoints = [], tools = [] } = plugin;
  return [
    ...Object.values(settings),
    ...endpoints.flatMap(({ routes }) => routes).flatMap(partsOf),
    ...tools.flatMap(({ operations }) => operations.map(argumentsSchema)),
  ];
}

/** The code of a module as a function of the formats and of what requires; it gives back the exports. */
const asFunction = (code: string): string =>
  `"use strict";module.exports = (formats, require) => {const module = {};${code}\nreturn module.exports;};`;

const brought = await Promise.all(readdirSync(path.join(root, "plugins")).map(schemasIn));
const manifest = read("sdk", "manifest.schema.json") as JsonSchema;
const schemas = [manifest, partsSchema, ...Object.values(coreSettings), ...brought.flat()];
const named = new Map(schemas.flatMap((schema) => (schema ? [[checkFile(schema), schema] as const] : [])));

const target = path.join(root, "core", "dist", "checks");
rmSync(target, { recursive: true, force: true });
mkdirSync(target);
const writeCheck = async ([file, schema]: readonly [string, JsonSchema]): Promise<void> => {
  const engine = openEngine({ code: { source: true, formats: _`formats()` } });
  const { code } = await transform(asFunction(standaloneCode(engine, engine.compile(schema))), {
    minifyWhitespace: true,
    minifySyntax: true,
  });
  writeFileSync(path.join(target, file), code);
};
await Promise.all([...named].map(writeCheck));
