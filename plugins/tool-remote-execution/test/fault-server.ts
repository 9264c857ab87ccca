import { createServer, type Server as NetServer, type Socket } from "node:net";
import ssh2, { type Connection as ServerConnection, type ServerChannel, type SFTPWrapper } from "ssh2";
import { makeKey, type KeyPair } from "./home.ts";
import type { Home } from "./home.ts";

export interface FaultServer {
  readonly port: number;
  /** How often a client tried to prove who it is. */
  readonly attempts: () => number;
  /** The command lines that clients sent. */
  readonly commands: readonly string[];
  /** Cuts every connection. */
  readonly hangUp: () => void;
  readonly stop: () => Promise<void>;
}

export interface Faults {
  /** Answers the login; default: lets everybody in. */
  readonly onLogin?: (accept: () => void, reject: () => void, connection: ServerConnection) => void;
  /** Answers a command of the model; the service's own scripts succeed. Default: hangs. */
  readonly onCommand?: (channel: ServerChannel, connection: ServerConnection) => void;
  readonly onFiles?: (sftp: SFTPWrapper) => void;
  /** Never answers the request to run something. */
  readonly deaf?: boolean;
  readonly noFiles?: boolean;
  readonly hostKey?: KeyPair;
}

const listen = (server: NetServer | ssh2.Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { readonly port: number }).port)),
  );

/** A line that holds a command of the model, not one of the service's own scripts. */
const isCommand = (line: string): boolean => line.includes("export TMPDIR");

/** An SSH server that misbehaves as told. */
export async function faultServer({
  onLogin,
  onCommand,
  onFiles,
  deaf,
  noFiles,
  hostKey = makeKey(),
}: Faults): Promise<FaultServer & { hostKey: KeyPair }> {
  let attempts = 0;
  const [commands, open]: [string[], Set<ServerConnection>] = [[], new Set()];
  const server = new ssh2.Server({ hostKeys: [hostKey.secret] }, (connection) => {
    (connection as unknown as { setNoDelay(isOn: boolean): void }).setNoDelay(true);
    open.add(connection);
    connection.on("error", () => undefined).on("close", () => open.delete(connection));
    connection.on("authentication", (login) => {
      attempts += 1;
      if (onLogin === undefined) login.accept();
      else
        onLogin(
          () => login.accept(),
          () => login.reject(),
          connection,
        );
    });
    connection.on("session", (accept) => {
      const session = accept();
      session.on("exec", (acceptExec, _reject, { command }) => {
        commands.push(command);
        if (deaf === true) return;
        const channel = acceptExec();
        channel.on("error", () => undefined);
        if (isCommand(command)) return onCommand?.(channel, connection);
        channel.exit(0);
        channel.end();
      });
      session.on("sftp", (acceptFiles, rejectFiles) =>
        noFiles === true ? rejectFiles() : onFiles?.(acceptFiles()),
      );
    });
  });
  const port = await listen(server);
  const hangUp = (): void => open.forEach((connection) => connection.end());
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      hangUp();
    });
  return { port, hangUp, hostKey, attempts: () => attempts, commands, stop };
}

export interface RawServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** A server that speaks no SSH, or something like it. */
export async function rawServer(onSocket: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  const port = await listen(server);
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, stop };
}

/** Makes a server known, and gives a key to log in with. */
export function trust(
  home: Home,
  { port, hostKey }: { readonly port: number; readonly hostKey: KeyPair },
): void {
  home.put("known_hosts", `[127.0.0.1]:${port} ${hostKey.open}\n`);
  home.put("id_ed25519", makeKey().secret);
}
