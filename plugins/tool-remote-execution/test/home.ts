import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";

/** A home folder of the test's own: HOME and the SSH agent are put back afterwards. */
export interface Home {
  readonly path: string;
  /** Writes a file below ~/.ssh that nobody else can read. */
  readonly put: (name: string, text: string) => string;
  readonly knownHosts: () => string;
  readonly restore: () => void;
}

export function testHome(): Home {
  const before = { HOME: process.env["HOME"], SSH_AUTH_SOCK: process.env["SSH_AUTH_SOCK"] };
  const home = temporaryFolder("pergola-home-");
  const folder = path.join(home, ".ssh");
  mkdirSync(folder, { mode: 0o700 });
  process.env["HOME"] = home;
  delete process.env["SSH_AUTH_SOCK"];
  return {
    path: home,
    put: (name, text) => {
      const file = path.join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      chmodSync(file, 0o600);
      return file;
    },
    knownHosts: () => readFileSync(path.join(folder, "known_hosts"), "utf8"),
    restore: () => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

export interface KeyPair {
  readonly file: string;
  readonly secret: string;
  /** `type base64`, as in authorized_keys. */
  readonly open: string;
}

/** A new key pair, made by ssh-keygen. */
export function makeKey(type: "ed25519" | "ecdsa" | "rsa" = "ed25519", passphrase = ""): KeyPair {
  const file = path.join(temporaryFolder("pergola-key-"), "key");
  execFileSync("ssh-keygen", ["-q", "-t", type, "-N", passphrase, "-C", "", "-f", file]);
  return { file, secret: readFileSync(file, "utf8"), open: readFileSync(`${file}.pub`, "utf8").trim() };
}
