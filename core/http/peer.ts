import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";
import { fault } from "../fault.ts";
import { isOwnAccount } from "./connection-account.ts";
import { forwardedHops, isForwarded, xForwardedHops, type Hop } from "./forwarding.ts";

/** Who is at the other end of a request, as far as addresses, headers and the system tell. */
export interface Peer {
  /** The client's canonical address; behind trusted proxies the one that they name. */
  readonly address: string;
  /** What limits count by: an IPv4 address, or the network of an IPv6 address (`2001:db8:1:2::/64`). */
  readonly place: string;
  /** On this computer: at a loopback address, and not through a proxy. */
  readonly local: boolean;
  /** The client has used https, be it to a trusted proxy. */
  readonly secure: boolean;
  /** Local, and the connection belongs to the account of this service. False where nobody asks for it. */
  readonly sameUser: boolean;
}

/** What of the settings decides about peers. */
export interface PeerRules {
  /** Addresses and networks (CIDR) of the proxies whose word about the client counts. */
  readonly trustedProxies: readonly string[];
  /** Whether to find out the account of a local connection, which costs some milliseconds once for each. */
  readonly needsAccount: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address that reads as IPv4 is IPv4, however it came; undefined for what is no address. */
function parse(text: string): Address | undefined {
  const [plain = ""] = text.split("%", 1);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain);
  return isAddress ? ipaddr.process(plain) : undefined;
}

/** An address in its one form: IPv4 that arrives over IPv6 as IPv4, IPv6 in short and lower case. */
export const canonicalAddress = (text: string): string => parse(text)?.toString() ?? text;

/** An address or a network (CIDR) as its address and the number of bits that count. */
function networkOf(text: string): readonly [Address, number] | undefined {
  const [base = "", bits] = text.split("/");
  const address = parse(base);
  if (address === undefined) return undefined;
  const most = address.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [address, most];
  const isMapped = most === 32 && base.includes(":");
  return [address, Math.max(0, isMapped ? Number(bits) - 96 : Number(bits))];
}

/** Tells whose addresses are among the given addresses and networks. */
function matcherOf(networks: readonly string[]): (address: Address) => boolean {
  const parsed = networks.map(networkOf).filter((network) => network !== undefined);
  return (address) =>
    parsed.some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never));
}

/** The IPv4 address, or the /64 network of an IPv6 address. */
function placeOf(address: Address | undefined): string {
  if (address === undefined) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

interface Client {
  readonly address: Address;
  readonly scheme: string;
}

/**
 * The rightmost hop that is no trusted proxy: each proxy writes whom it saw at the end of the list. Where one
 * wrote what is no address, the proxy itself counts.
 */
function clientOf(hops: readonly Hop[], proxy: Address, isTrusted: (address: Address) => boolean): Client {
  let address = proxy;
  for (const hop of hops.toReversed()) {
    const next = parse(hop.address);
    if (next === undefined) break;
    address = next;
    if (!isTrusted(next)) break;
  }
  return { address, scheme: hops.at(-1)?.scheme ?? "" };
}

/** The client behind trusted proxies. Throws AppError where two headers name two clients. */
function clientBehind(
  headers: IncomingHttpHeaders,
  proxy: Address,
  isTrusted: (address: Address) => boolean,
): Client {
  const lists = [forwardedHops(headers), xForwardedHops(headers)].filter((hops) => hops.length > 0);
  const clients = lists.map((hops) => clientOf(hops, proxy, isTrusted));
  if (new Set(clients.map(({ address }) => address.toString())).size > 1)
    throw fault(
      "invalid_value",
      "Forwarded and X-Forwarded-For name two clients. Let the proxy write one of them and remove the other.",
    );
  const [first = { address: proxy, scheme: "" }] = clients;
  const [scheme = first.scheme] = [headers["x-forwarded-proto"]].flat();
  return { address: first.address, scheme: scheme.split(",").at(-1)!.trim().toLowerCase() };
}

const isEncrypted = ({ socket }: IncomingMessage): boolean =>
  (socket as Partial<TLSSocket>).encrypted === true;

/**
 * Who is at the other end of a request. A request with a forwarding header is remote, always: a proxy on this
 * computer passes on what comes from anywhere. Rejects with AppError `invalid_value` where a trusted proxy
 * names two clients.
 */
export async function peerOf(request: IncomingMessage, rules: PeerRules): Promise<Peer> {
  const { headers, socket } = request;
  const near = parse(socket.remoteAddress ?? "");
  const isTrusted = matcherOf(rules.trustedProxies);
  const secure = isEncrypted(request);
  if (near === undefined)
    return { address: "unknown", place: "unknown", local: false, secure, sameUser: false };
  const through =
    isForwarded(headers) && isTrusted(near) ? clientBehind(headers, near, isTrusted) : undefined;
  const { address, scheme } = through ?? { address: near, scheme: "" };
  const local = near.range() === "loopback" && !isForwarded(headers);
  return {
    address: address.toString(),
    place: placeOf(address),
    local,
    secure: secure || scheme === "https",
    sameUser: local && rules.needsAccount && (await isOwnAccount(socket)),
  };
}
