import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The link in the data directory by which added plugins find the SDK. A start makes it anew. */
export const sdkLink = path.join("plugins", "node_modules", "@pergola", "sdk");

/** Added plugins find the SDK of this host, from wherever they lie below `<data>/plugins`. */
export function linkSdk(dataDirectory: string): void {
  const sdk = path.dirname(require.resolve("@pergola/sdk/manifest.schema.json"));
  const link = path.join(dataDirectory, sdkLink);
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
