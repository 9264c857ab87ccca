import { once } from "node:events";
import { connect, isIP, type LookupFunction } from "node:net";
import { guardedLookup, publicAddresses, refusedHost, type Accepts } from "@pergola/kit-addresses";
import type { Dial } from "./network-proxy.ts";
import { isOwnListener } from "./own-listeners.ts";

interface DialOptions {
  /** `host` or `host:port`. */
  readonly privateHosts: readonly string[];
  readonly lookup?: LookupFunction;
}

/** Milliseconds in which a host must take the connection. */
const patience = 15_000;

/**
 * Connects programs to hosts with a public address, and to those private ones that the person has listed as
 * `host` or `host:port`. This service itself is never reached, listed or not.
 */
export const createDial =
  ({ privateHosts, lookup }: DialOptions): Dial =>
  async (host, port) => {
    const isListed = privateHosts.some((one) => [host, `${host}:${port}`].includes(one.toLowerCase()));
    const isPublic = await publicAddresses();
    const accepts: Accepts = (address) => (isListed || isPublic(address)) && !isOwnListener(address, port);
    if (isIP(host) !== 0 && !accepts(host)) throw refusedHost(host);
    const socket = connect({ host, port, lookup: guardedLookup(accepts, lookup), autoSelectFamily: true });
    const tooLate = setTimeout(() => socket.destroy(new Error(`${host} did not answer.`)), patience);
    try {
      await once(socket, "connect");
      return socket;
    } finally {
      clearTimeout(tooLate);
      socket.on("error", () => undefined);
    }
  };
