import { fieldsOf, listOf, objectsOf } from "@pergola/kit-provider";

/**
 * Of the models whose entry in a listing names the endpoints that serve them: whether it names the Responses
 * format and not chat completions.
 */
export function readEndpoints(listing: unknown): ReadonlyMap<string, boolean> {
  const entries = objectsOf(fieldsOf(listing)["data"]).flatMap(({ id, supported_endpoints: endpoints }) => {
    const names = listOf(endpoints).map((endpoint) => String(endpoint).replace(/^\/v1/, ""));
    if (typeof id !== "string" || names.length === 0) return [];
    return [[id, names.includes("/responses") && !names.includes("/chat/completions")] as const];
  });
  return new Map(entries);
}
