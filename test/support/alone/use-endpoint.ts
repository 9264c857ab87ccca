import type { Route } from "@pergola/sdk";
import { expect } from "chai";
import type { Serving } from "./serve.ts";
import { sourceOf } from "./use-tool.ts";
import type { UseOf } from "./use.ts";

/** An address of a route: where it names something, something that there is not. */
const addressOf = (route: string): string => route.replaceAll(/\{[^}]*\}/g, "none");

/** Asks a GET route, whose answer has the fields of its own schema, or is an error of its own. */
async function askRoute({ ask }: Serving, { path, response }: Route): Promise<string> {
  const { status, body } = await ask<{ readonly error?: { readonly code: string } }>("GET", addressOf(path));
  const fields = Object.keys(status === 200 ? (response?.properties ?? body) : { error: {} });
  expect(fields, `${path} answered ${status}`).to.include.members(Object.keys(body));
  expect(["route_not_found", "internal_error"], `${path} answered ${status}`).to.not.include(body.error?.code);
  return `GET ${path}`;
}

/** All its routes that only look are asked. */
export const useEndpoint: UseOf = async ({ id }) => ({
  check: async (serving) => {
    const { endpoints = [] } = await sourceOf(id);
    const asked: string[] = [];
    for (const route of endpoints.flatMap(({ routes }) => routes)) if (route.method === "GET") asked.push(await askRoute(serving, route));
    expect(asked).to.not.deep.equal([]);
  },
});
