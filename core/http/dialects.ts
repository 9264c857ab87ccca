import type { IncomingMessage } from "node:http";
import type { Route } from "@pergola/sdk";

type Dialect = NonNullable<Route["dialect"]> & Pick<Route, "failure">;

/** Finds the format that a request speaks whatever it asks for; undefined for the service's own. */
export function dialectsOf(routes: readonly Route[]): (request: IncomingMessage) => Dialect | undefined {
  const dialects = routes.flatMap(({ dialect, failure }) => (dialect ? [{ ...dialect, failure }] : []));
  return ({ headers }) => dialects.find(({ header }) => headers[header] !== undefined);
}
