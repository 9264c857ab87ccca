import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "@pergola/sdk/testing";
import { makeKey, type KeyPair } from "./home.ts";

const program = "/usr/sbin/sshd";

/** Skips where no keys can be made. */
export function needsKeys(this: Mocha.Context): void {
  const missing = noKeys();
  if (missing === undefined) return;
  console.log(`      skipped: ${missing}`);
  this.skip();
}

function noKeys(): string | undefined {
  return spawnSync("ssh-keygen", ["-?"]).error === undefined
    ? undefined
    : "the Debian package openssh-client is missing";
}

/** Why the tests against a real server cannot run here; undefined when they can. */
export function noServer(): string | undefined {
  if (!existsSync(program)) return "the Debian package openssh-server is missing";
  return noKeys();
}

export interface OpenSshServer {
  readonly port: number;
  readonly hostKey: KeyPair;
  /** The key that may log in. */
  readonly userKey: KeyPair;
  /** What known_hosts says of it. */
  readonly knownLine: string;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });

/** Starts OpenSSH's server on loopback as an ordinary process, with keys of its own. */
export async function openSshServer(more: readonly string[] = []): Promise<OpenSshServer> {
  const [hostKey, userKey, port] = [makeKey(), makeKey(), await freePort()];
  const folder = temporaryFolder("pergola-sshd-");
  const at = (name: string): string => path.join(folder, name);
  writeFileSync(at("authorized_keys"), `${userKey.open}\n`, { mode: 0o600 });
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${hostKey.file}`,
    `AuthorizedKeysFile ${at("authorized_keys")}`,
    "StrictModes no",
    "UsePAM no",
    "PidFile none",
    "PermitRootLogin prohibit-password",
    "PasswordAuthentication no",
    "Subsystem sftp internal-sftp",
    ...more,
  ];
  writeFileSync(at("sshd_config"), `${settings.join("\n")}\n`);
  // Where the server separates privileges, it wants this folder; the package's service makes it at start.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const server = spawn(program, ["-D", "-e", "-f", at("sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (text: Buffer) => (said += text.toString()));
  for (let round = 0; round < 100 && server.exitCode === null && !(await accepts(port)); round += 1)
    await pause(50);
  if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`);
  return {
    port,
    hostKey,
    userKey,
    knownLine: `[127.0.0.1]:${port} ${hostKey.open}\n`,
    stop: () =>
      new Promise((resolve) => {
        server.once("close", () => resolve()).kill();
      }),
  };
}
