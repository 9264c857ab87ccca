import { createRequire } from "node:module";
import type { Agent, buildConnector, Pool } from "undici";

/** undici has a file for each. Its entry loads `fetch`, caches and much else before the first request. */
const files = {
  Agent: "undici/lib/dispatcher/agent.js",
  Pool: "undici/lib/dispatcher/pool.js",
  buildConnector: "undici/lib/core/connect.js",
} as const;

interface Parts {
  readonly Agent: typeof Agent;
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
}

const load = createRequire(import.meta.url);

/** One part of undici, and what it needs. */
export const loadUndici = <N extends keyof Parts>(name: N): Parts[N] => load(files[name]) as Parts[N];
