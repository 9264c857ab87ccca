import type { Route } from "@pergola/sdk";
import { errorIn, openDoor, readAnswer, sendBytes, type DoorSettings } from "./open-door.ts";

export const whoAmI: Route = {
  method: "GET",
  path: "/me",
  scope: "read",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
export const health: Route = {
  method: "GET",
  path: "/pulse",
  scope: "open",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
export const send: Route = {
  method: "POST",
  path: "/send",
  scope: "read",
  summary: "",
  handle: ({ caller }) => ({ body: caller }),
};
export const routes = [whoAmI, health, send];

export type Headers = Readonly<Record<string, string>>;

export interface Asked extends DoorSettings {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Headers | ((port: number) => Headers);
}

export async function ask({ method = "GET", path = "/me", headers = {}, ...settings }: Asked) {
  const { port } = await openDoor(routes, settings);
  const sent = {
    Host: `127.0.0.1:${port}`,
    Connection: "close",
    ...(typeof headers === "function" ? headers(port) : headers),
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  const { status, head, body } = readAnswer(
    await sendBytes(port, `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
  );
  const header = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
  return { status, body, header, code: status >= 400 ? errorIn(body).code : undefined };
}

export const preferences = (given: object) => ({ preferences: given as Readonly<Record<string, unknown>> });
