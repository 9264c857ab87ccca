import type { IncomingHttpHeaders } from "node:http";

/** What a proxy says of the request that it passed on. */
export interface Hop {
  /** The address as the proxy wrote it, without port and brackets. */
  readonly address: string;
  readonly scheme: string;
}

const forwardingHeader = /^(?:forwarded|via|x-real-ip|cf-connecting-ip|x-forwarded-.*)$/;

/** Whether a request has come through a proxy, whatever it says. */
export const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  Object.keys(headers).some((name) => forwardingHeader.test(name));

const textOf = (value: string | readonly string[] | undefined): string => [value ?? ""].flat().join(",");

const listOf = (value: string | readonly string[] | undefined): readonly string[] => {
  const text = textOf(value);
  return text === "" ? [] : text.split(",").map((item) => item.trim());
};

/** `192.0.2.1:80`, `[2001:db8::1]:80` and `2001:db8::1` as addresses alone. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] ?? "";
  return /^[\d.]+:\d+$/.test(text) ? text.replace(/:\d+$/, "") : text;
}

/** The parameters of one element of `Forwarded` (RFC 7239), by their names in lower case. */
function parametersOf(element: string): Readonly<Record<string, string>> {
  const pairs = element.split(";").map((pair) => /^\s*([\w-]+)=(?:"(.*)"|(.*?))\s*$/.exec(pair) ?? []);
  return Object.fromEntries(
    pairs.map(([, name = "", quoted, plain = ""]) => [name.toLowerCase(), quoted ?? plain]),
  );
}

/** The hops of `Forwarded`, the client's first; empty without that header. */
export const forwardedHops = ({ forwarded }: IncomingHttpHeaders): readonly Hop[] =>
  listOf(forwarded).map((element) => {
    const { for: address = "", proto: scheme = "" } = parametersOf(element);
    return { address: withoutPort(address), scheme: scheme.toLowerCase() };
  });

/** The hops of `X-Forwarded-For`, the client's first; the scheme is the one that the last proxy has seen. */
export function xForwardedHops(headers: IncomingHttpHeaders): readonly Hop[] {
  const scheme = (listOf(headers["x-forwarded-proto"]).at(-1) ?? "").toLowerCase();
  return listOf(headers["x-forwarded-for"]).map((item) => ({ address: withoutPort(item), scheme }));
}
