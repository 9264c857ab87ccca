import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ToolError } from "@pergola/sdk";
import type { buildConnector } from "undici";

export type Accepts = (address: string) => boolean;

/**
 * Tells public addresses from loopback, private, link-local, multicast and metadata ones, in whatever form
 * they are written.
 */
export async function publicAddresses(): Promise<Accepts> {
  const { default: ipaddr } = await import("ipaddr.js");
  return (text) => {
    const address = ipaddr.process(text);
    // Of IPv6 only 2000::/3 has been given out; ::/96 still holds an old form of IPv4.
    const isGivenOut = !("parts" in address) || (address.parts[0] ?? 0) >> 13 === 1;
    return isGivenOut && address.range() === "unicast" && address.toString() !== "168.63.129.16";
  };
}

const nearby = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/**
 * Tells addresses of this machine and of private networks from all others, the metadata services of clouds
 * among them.
 */
export async function privateAddresses(): Promise<Accepts> {
  const { default: ipaddr } = await import("ipaddr.js");
  return (text) => nearby.has(ipaddr.process(text).range());
}

/**
 * Dials accepted addresses only. A name is looked up once and the connection goes to what came back; literal
 * addresses are never looked up.
 */
export async function guardedConnector(
  accepts: Accepts,
  lookup: LookupFunction = systemLookup,
): Promise<buildConnector.connector> {
  const { buildConnector } = await import("undici");
  const refusal = (host: string): ToolError =>
    new ToolError("permission_denied", `${host} leads to an address that may not be reached.`);
  const dial = buildConnector({
    timeout: 10_000,
    autoSelectFamily: true,
    lookup: (host, options, done) =>
      lookup(host, { ...options, all: true }, (error, found) => {
        const accepted = [found].flat().filter((one) => typeof one === "object" && accepts(one.address));
        done(error ?? (accepted.length === 0 ? refusal(host) : null), accepted as LookupAddress[]);
      }),
  });
  return (options, done) => {
    if (isIP(options.hostname) === 0 || accepts(options.hostname)) return dial(options, done);
    return done(refusal(options.hostname), null);
  };
}
