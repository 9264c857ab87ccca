import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "@pergola/sdk";

export interface PluginSource {
  readonly id: string;
  readonly kind?: string;
  readonly provides?: Json;
  /** Further fields of the manifest; they win over those made here. */
  readonly manifest?: Readonly<Record<string, Json>>;
  readonly package?: Readonly<Record<string, Json>>;
  /** The entry, plain JavaScript. */
  readonly code?: string;
}

/** Writes a plugin into a folder below `parent` and returns the folder. Its package is called as its id. */
export function writePlugin(
  parent: string,
  {
    id,
    kind = "tool",
    provides = {},
    manifest = {},
    package: pack = {},
    code = "export default {};",
  }: PluginSource,
): string {
  const folder = path.join(parent, id.replace("/", "__"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ name: id, version: "1.2.3", type: "module", main: "index.js", ...pack }),
  );
  writeFileSync(
    path.join(folder, "plugin.json"),
    JSON.stringify({ id, kind, sdk: "^1", provides, ...manifest }),
  );
  writeFileSync(path.join(folder, "index.js"), code);
  return folder;
}

/**
 * The code of a tool plugin whose one operation, `<tool>.go`, has this body; `args` and `context` are in its
 * scope.
 */
export const toolCode = (tool: string, body: string, more = ""): string => `
export default {
  tools: [{
    name: ${JSON.stringify(tool)}, description: "A tool under test",
    operations: [{ name: "go", description: "Goes", effect: "read", parameters: {}, required: [], async run(args, context) { ${body} } }],
  }],
  ${more}
};`;

/** A tool plugin with the operation `go`. */
export const toolPlugin = (
  parent: string,
  id: string,
  body: string,
  more: Partial<PluginSource> & { readonly fields?: string } = {},
): string => {
  const tool = id.replaceAll("-", "_");
  return writePlugin(parent, {
    id,
    provides: { tools: { [tool]: ["go"] } },
    code: toolCode(tool, body, more.fields),
    ...more,
  });
};
