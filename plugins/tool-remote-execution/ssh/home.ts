import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileFailure } from "@pergola/sdk";
import { judgeKey, knownLine, type KeyVerdict } from "./known-hosts.ts";
import type { Target } from "./target.ts";

/*
 * What the person keeps for SSH: ~/.ssh and the machine's own known hosts. An SSH client reads these as a
 * matter of course, so they are not paths of the call. Everything is read and written synchronously, so that
 * two calls never interleave.
 */

const folder = (): string => path.join(homedir(), ".ssh");
const ownHosts = (): string => path.join(folder(), "known_hosts");

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw fileFailure(error, file);
  }
}

/**
 * The text of all known_hosts files that ssh(1) reads by default. Throws when one is there and cannot be
 * read.
 */
export const knownHosts = (): string =>
  [ownHosts(), path.join(folder(), "known_hosts2"), "/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
    .map(textOf)
    .join("\n");

/** The default keys that are there, as `~/.ssh/<name>` with their text, in the order of preference. */
export const defaultKeys = (): readonly { readonly file: string; readonly text: string }[] =>
  ["id_ed25519", "id_ecdsa", "id_rsa"]
    .map((name) => ({ file: `~/.ssh/${name}`, text: textOf(path.join(folder(), name)) }))
    .filter(({ text }) => text !== "");

/** Remembers the key of a host that is still unknown, all of the line or nothing; says what is known now. */
export function remember(target: Target, key: Buffer): KeyVerdict {
  const verdict = judgeKey(knownHosts(), target, key);
  if (verdict !== "unknown") return verdict;
  const text = textOf(ownHosts());
  replaceOwnHosts(text.replace(/(?<=[^\n])$/, "\n") + knownLine(target, key));
  return "known";
}

function replaceOwnHosts(text: string): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const found = statSync(ownHosts(), { throwIfNoEntry: false });
  const file = found === undefined ? ownHosts() : realpathSync(ownHosts());
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx", flush: true });
    if (found !== undefined) chmodSync(fresh, found.mode & 0o777);
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}
