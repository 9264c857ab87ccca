/** Whether a literal address may be reached. */
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
