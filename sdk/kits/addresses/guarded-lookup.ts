import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { ToolError } from "@pergola/sdk";
import type { Accepts } from "./addresses.ts";

/** The ToolError `permission_denied` for a host that may not be reached. */
export const refusedHost = (host: string): ToolError =>
  new ToolError("permission_denied", `${host} leads to an address that may not be reached.`);

/**
 * A lookup for `net.connect` that gives accepted addresses only, so that the connection goes to what was
 * judged. Literal addresses never come here: judge them before. Fails with `refusedHost` where none is left.
 */
export const guardedLookup =
  (accepts: Accepts, lookup: LookupFunction = systemLookup): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const accepted = [found].flat().filter((one) => typeof one === "object" && accepts(one.address));
      done(error ?? (accepted.length === 0 ? refusedHost(host) : null), accepted as LookupAddress[]);
    });
