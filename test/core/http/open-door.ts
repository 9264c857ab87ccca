import net from "node:net";
import { defined, type Caller, type DoorRequest, type Log, type Route, type Services } from "@pergola/sdk";
import { createHttpServer } from "../../../core/http/app.ts";
import type { ListeningPlan } from "../../../core/http/listening-plan.ts";
import type { HttpOptions } from "../../../core/http/options.ts";

export interface Logged {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface DoorSettings extends Partial<
  Pick<HttpOptions, "limits" | "stopping" | "services" | "isOwnerProof">
> {
  readonly preferences?: Readonly<Record<string, unknown>>;
  readonly authenticate?: (request: DoorRequest) => Promise<Caller | undefined>;
  readonly host?: string;
  readonly tls?: ListeningPlan["tls"];
  /** Default: a free one. */
  readonly port?: number;
}

export interface OpenDoor {
  readonly port: number;
  /** 0 = it does not speak https. */
  readonly tlsPort: number;
  readonly url: string;
  readonly logged: readonly Logged[];
  readonly http: ReturnType<typeof createHttpServer>;
}

const defaults: Readonly<Record<string, unknown>> = {
  "auth.loopback": "none",
  "server.allowed_hosts": [],
  "server.allowed_origins": [],
  "server.trusted_proxies": [],
  "server.max_body_bytes": 1_048_576,
  "stream.ping_seconds": 15,
};

const open: OpenDoor["http"][] = [];

/** A real server on a free port of the loopback address; `closeDoors` ends it. */
export async function openDoor(
  routes: readonly (Route & { readonly group?: string })[],
  settings: DoorSettings = {},
): Promise<OpenDoor> {
  const logged: Logged[] = [];
  const note = (fields: Logged["fields"], message: string): void => void logged.push({ fields, message });
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const http = createHttpServer({
    routes: routes.map((route) => ({ group: "test", ...route })),
    services: settings.services ?? ({} as Services),
    preference: <T>(key: string) => (settings.preferences?.[key] ?? defaults[key]) as T,
    authenticate: settings.authenticate ?? (async () => undefined),
    isOwnerProof: settings.isOwnerProof ?? (() => false),
    log,
    version: "1.2.3",
    stopping: settings.stopping ?? (() => false),
    limits: { connectionsCheckingInterval: 50, ...settings.limits },
  });
  open.push(http);
  const place = { host: settings.host ?? "127.0.0.1", port: settings.port ?? 0 };
  const { plain: port, tls } = await http.listen({ plain: [place], ...defined({ tls: settings.tls }) });
  return { port, tlsPort: tls ?? 0, url: `http://127.0.0.1:${port}`, logged, http };
}

export async function closeDoors(): Promise<void> {
  await Promise.all(open.splice(0).map((http) => http.close(0)));
}

/** Sends bytes as they are and gives what came back until the server closed. */
export function sendBytes(port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return exchange("127.0.0.1", port, pieces);
}

/** The status that an address answers with, or 0. */
export async function sendTo(host: string, port: number, text: string): Promise<number> {
  return readAnswer(await exchange(host, port, [text])).status || 0;
}

function exchange(host: string, port: number, pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, host);
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => (answer += text));
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
    for (const piece of pieces) socket.write(piece);
  });
}

/** Status and error of a raw answer. */
export function readAnswer(answer: string): {
  readonly status: number;
  readonly head: string;
  readonly body: string;
} {
  const [head = "", ...body] = answer.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: body.join("\r\n\r\n") };
}

export interface ShownError {
  readonly message?: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

export const errorIn = (body: string): ShownError =>
  (JSON.parse(body) as { readonly error: ShownError }).error;
