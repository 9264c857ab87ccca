import type { Route } from "@pergola/sdk";
import type { Service } from "./service.ts";

/** Whether there is a page at `/` for browsers. */
export const isPageAmong = (routes: readonly Pick<Route, "method" | "path" | "page">[]): boolean =>
  routes.some(({ method, path, page }) => method === "GET" && path === "/" && page === true);

/** The same for a service that runs. */
export async function hasPage(service: Service): Promise<boolean> {
  const { paths } = await service.get<{ readonly paths: Readonly<Record<string, object>> }>("/openapi.json");
  return JSON.stringify(paths["/"] ?? {}).includes('"text/html"');
}

/** A command that tries a token from another device. */
export const curlLine = (address: string, token: string): string =>
  `curl ${address}/api/models -H "Authorization: Bearer ${token}"`;
