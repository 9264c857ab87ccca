import { createRequire } from "node:module";
import type { Agent, buildConnector, Pool } from "undici";

interface Parts {
  readonly Agent: typeof Agent;
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
}

const load = createRequire(import.meta.url);

/** An agent with its methods beside `dispatch`, which only tools need: undici's entry adds them so. */
function loadAgent(): typeof Agent {
  const dispatcher = load("undici/lib/dispatcher/dispatcher.js") as { readonly prototype: object };
  Object.assign(dispatcher.prototype, load("undici/lib/api/index.js"));
  return load("undici/lib/dispatcher/agent.js") as typeof Agent;
}

/** undici has a file for each. Its entry loads `fetch`, caches and much else that nothing here uses. */
const loaders: { readonly [N in keyof Parts]: () => Parts[N] } = {
  Agent: loadAgent,
  Pool: () => load("undici/lib/dispatcher/pool.js") as Parts["Pool"],
  buildConnector: () => load("undici/lib/core/connect.js") as Parts["buildConnector"],
};

/** One part of undici, and what it needs. */
export const loadUndici = <N extends keyof Parts>(name: N): Parts[N] => loaders[name]();
