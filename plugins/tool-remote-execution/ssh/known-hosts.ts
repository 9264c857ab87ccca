import { createHash } from "node:crypto";
import { fitsHost } from "./host-patterns.ts";
import type { Target } from "./target.ts";

/**
 * What the known_hosts files say of a key that a host shows. `changed`: the host is known by other keys only.
 * `authority`: it is known only by a certificate authority, whose certificates are not read here.
 */
export type KeyVerdict = "known" | "unknown" | "changed" | "revoked" | "authority";

interface Line {
  readonly marker: string | undefined;
  readonly key: Buffer;
}

/** The name under which a host is kept (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT). */
function hostEntry({ name, port }: Target): string {
  if (port === 22) return name;
  return `[${name}]:${port}`;
}

/** The type at the beginning of a public key's wire form (RFC 4253, 6.6), such as ssh-ed25519. */
export function keyType(key: Buffer): string {
  if (key.length < 4) return "";
  return key.toString("latin1", 4, 4 + Math.min(64, key.readUInt32BE(0)));
}

/** As `ssh-keygen -l` shows it. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

const linesFor = (text: string, host: string): readonly Line[] =>
  text.split("\n").flatMap((line) => {
    const [, marker, patterns = "", , blob = ""] =
      /^\s*(?:(@\S+)\s+)?([^\s#@]\S*)\s+(\S+)\s+(\S+)/.exec(line) ?? [];
    if (blob === "" || !fitsHost(patterns, host)) return [];
    return [{ marker, key: Buffer.from(blob, "base64") }];
  });

/** Judges the key that a host shows by the text of the known_hosts files. */
export function judgeKey(text: string, target: Target, key: Buffer): KeyVerdict {
  const lines = linesFor(text, hostEntry(target));
  const plain = lines.filter(({ marker }) => marker === undefined);
  if (lines.some((line) => line.marker === "@revoked" && line.key.equals(key))) return "revoked";
  if (plain.some((line) => line.key.equals(key))) return "known";
  if (plain.length > 0) return "changed";
  if (lines.some(({ marker }) => marker === "@cert-authority")) return "authority";
  return "unknown";
}

/** The types of the keys by which a host is known, to ask it for one of those. */
export const knownTypes = (text: string, target: Target): readonly string[] =>
  linesFor(text, hostEntry(target))
    .filter(({ marker }) => marker === undefined)
    .map(({ key }) => keyType(key));

/** The line that makes a host known. */
export const knownLine = (target: Target, key: Buffer): string =>
  `${hostEntry(target)} ${keyType(key)} ${key.toString("base64")}\n`;
