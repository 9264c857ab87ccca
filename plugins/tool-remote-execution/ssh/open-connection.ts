import { connect, type Socket } from "node:net";
import type { ToolError } from "@pergola/sdk";
import type { AuthMethod, Client, ServerHostKeyAlgorithm } from "ssh2";
import { Connection } from "./connection.ts";
import { connectFailure, keyRefused } from "./failures.ts";
import { knownHosts, remember } from "./home.ts";
import { fingerprint, judgeKey, knownTypes } from "./known-hosts.ts";
import type { Login } from "./login.ts";
import { settle } from "./settle.ts";
import type { Target } from "./target.ts";

/* The only file that opens a socket: to the machine itself, and through the library to the SSH agent. */

const connectSeconds = 15;
const readySeconds = 15;
const keepalive = { keepaliveInterval: 15_000, keepaliveCountMax: 3 };

const keyAlgorithms: readonly (readonly [type: string, algorithm: ServerHostKeyAlgorithm])[] = [
  ["ssh-ed25519", "ssh-ed25519"],
  ["ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"],
  ["ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"],
  ["ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"],
  ["ssh-rsa", "rsa-sha2-512"],
  ["ssh-rsa", "rsa-sha2-256"],
];

/** The kinds of host key to ask for: first those that the host is known by. */
function keyOrder(target: Target): ServerHostKeyAlgorithm[] {
  const known = new Set(knownTypes(knownHosts(), target));
  const knownFirst = keyAlgorithms.toSorted(([a], [b]) => Number(known.has(b)) - Number(known.has(a)));
  return knownFirst.map(([, algorithm]) => algorithm);
}

async function openSocket(target: Target, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: target.name, port: target.port });
  socket.setNoDelay(true);
  const connected = settle<void>((done) => socket.once("connect", () => done(null)).once("error", done), {
    seconds: connectSeconds,
    signal,
  });
  return connected.then(
    () => socket,
    (error: Error) => {
      socket.on("error", () => undefined).destroy();
      throw connectFailure(target, error, []);
    },
  );
}

/** Judges the key that the host shows, before anything is sent that proves who we are. */
function judge(target: Target, key: Buffer, acceptNew: boolean): ToolError | undefined {
  const found = judgeKey(knownHosts(), target, key);
  const verdict = found === "unknown" && acceptNew ? remember(target, key) : found;
  if (verdict === "known") return undefined;
  return keyRefused(target, verdict, fingerprint(key));
}

interface Attempt {
  readonly target: Target;
  readonly login: Login;
  readonly acceptNew: boolean;
  readonly signal: AbortSignal;
}

function logIn(client: Client, sock: Socket, { target, login, acceptNew, signal }: Attempt): Promise<void> {
  const authHandler = login.methods.map((method) => ({ ...method, username: target.user })) as AuthMethod[];
  const start = (done: (error?: Error | null) => void): void => {
    const hostVerifier = (key: Buffer): boolean => {
      const refusal = judge(target, key, acceptNew);
      if (refusal !== undefined) done(refusal);
      return refusal === undefined;
    };
    client
      .once("ready", () => done(null))
      .on("error", (error: Error & { readonly level?: string }) => {
        if (error.level !== "agent") done(connectFailure(target, error, login.notes));
      })
      .once("close", () => done(connectFailure(target, new Error("it hung up"), login.notes)))
      .connect({
        sock,
        username: target.user,
        authHandler,
        hostVerifier,
        algorithms: { serverHostKey: keyOrder(target) },
        readyTimeout: readySeconds * 1000,
        ...keepalive,
      });
  };
  return settle<void>(start, { seconds: readySeconds + 1, signal });
}

/**
 * Connects, checks the host's key against known_hosts and logs in. Throws `network_error`, `timeout`,
 * `permission_denied` (the key is not trusted), `system_permission_denied` (no key was accepted) or
 * `cancelled`; then nothing was done on the machine and nothing is left open.
 */
export async function openConnection(attempt: Attempt): Promise<Connection> {
  const { default: ssh2 } = await import("ssh2");
  const socket = await openSocket(attempt.target, attempt.signal);
  const client = new ssh2.Client();
  try {
    await logIn(client, socket, attempt);
    return new Connection(attempt.target, client);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
