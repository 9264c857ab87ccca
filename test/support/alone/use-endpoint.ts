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
  expect(["route_not_found", "internal_error"], `${path} answered ${status}`).to.not.include(
    body.error?.code,
  );
  return `GET ${path}`;
}

/** A request without anything that is needed is refused by the route itself. */
async function askForNothing({ ask }: Serving, { path }: Route): Promise<string> {
  const { status, body } = await ask<{ readonly error?: object }>("POST", addressOf(path), {});
  expect([status, Object.keys(body)], path)
    .to.deep.include(400)
    .and.to.satisfy(() => body.error !== undefined);
  return `POST ${path}`;
}

/**
 * All its routes that only look are asked; where there are none, those that make something are asked for
 * nothing.
 */
export const useEndpoint: UseOf = async ({ id }) => ({
  check: async (serving) => {
    const routes = (await sourceOf(id)).endpoints?.flatMap((group) => group.routes) ?? [];
    const looking = routes.filter(({ method }) => method === "GET");
    const asked: string[] = [];
    for (const route of looking) asked.push(await askRoute(serving, route));
    for (const route of looking.length > 0 ? [] : routes) asked.push(await askForNothing(serving, route));
    expect(asked).to.not.deep.equal([]);
  },
});
