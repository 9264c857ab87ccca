import { isIP, type LookupFunction } from "node:net";
import { guardedLookup, refusedHost, type Accepts } from "@pergola/kit-addresses";
import type { buildConnector } from "undici";
import { loadUndici } from "./load-undici.ts";

/**
 * Dials accepted addresses only. A name is looked up once and the connection goes to what came back; literal
 * addresses are never looked up.
 */
export function guardedConnector(accepts: Accepts, lookup?: LookupFunction): buildConnector.connector {
  const dial = loadUndici("buildConnector")({
    timeout: 10_000,
    autoSelectFamily: true,
    lookup: guardedLookup(accepts, lookup),
  });
  return (options, done) => {
    if (isIP(options.hostname) === 0 || accepts(options.hostname)) return dial(options, done);
    return done(refusedHost(options.hostname), null);
  };
}
