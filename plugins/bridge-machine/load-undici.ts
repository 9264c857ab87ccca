import { createRequire } from "node:module";
import type { Agent, buildConnector, Pool } from "undici";

interface Parts {
  readonly Agent: typeof Agent;
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
}

const load = createRequire(import.meta.url);

/**
 * undici has a file for each. Its entry loads `fetch`, caches and much else before the first request; only
 * tools need it, for it gives an agent its methods beside `dispatch`.
 */
const loaders: { readonly [N in keyof Parts]: () => Parts[N] } = {
  Agent: () => (load("undici") as Parts).Agent,
  Pool: () => load("undici/lib/dispatcher/pool.js") as Parts["Pool"],
  buildConnector: () => load("undici/lib/core/connect.js") as Parts["buildConnector"],
};

/** One part of undici, and what it needs. */
export const loadUndici = <N extends keyof Parts>(name: N): Parts[N] => loaders[name]();
