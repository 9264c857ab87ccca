import type { Route } from "@pergola/sdk";
import type { Service } from "./service.ts";

/** Whether there is a page at `/` for browsers. */
export const isPageAmong = (routes: readonly Pick<Route, "method" | "path">[]): boolean =>
  routes.some(({ method, path }) => method === "GET" && path === "/");

/** The same for a service that runs. */
export async function hasPage(service: Service): Promise<boolean> {
  const { paths } = await service.get<{ readonly paths: Readonly<Record<string, object>> }>("/openapi.json");
  return Object.hasOwn(paths["/"] ?? {}, "get");
}

/** A command that tries a token from another device. */
export const curlLine = (address: string, token: string): string =>
  `curl ${address}/api/models -H "Authorization: Bearer ${token}"`;
