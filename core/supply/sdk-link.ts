import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pluginsFolder } from "../plugins/plugin-lock.ts";

const require = createRequire(import.meta.url);

/** Added plugins find the SDK of this host, from wherever they lie below `<data>/plugins`. */
export function linkSdk(dataDirectory: string): void {
  const sdk = path.dirname(require.resolve("@pergola/sdk/manifest.schema.json"));
  const link = path.join(pluginsFolder(dataDirectory), "node_modules", "@pergola", "sdk");
  if (leadsTo(link) === realpathSync(sdk)) return;
  mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(sdk, link, "dir");
}

function leadsTo(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}
