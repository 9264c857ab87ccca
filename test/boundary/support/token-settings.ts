import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";

/** A token with every scope. */
export const goodToken = "f6d1c0de-3a52-4b1c-9a35-0a1b2c3d4e5f-71b6a7f0-9c1e-4d2b-8f3a-00000000c0de";

/** Settings of a service that knows the good token. */
export function withToken(): Readonly<Record<string, Json>> {
  const file = path.join(temporaryFolder(), "token");
  writeFileSync(file, goodToken, { mode: 0o600 });
  return { "auth.token": { file } };
}
