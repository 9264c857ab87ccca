type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/**
 * Of the models whose entry in a listing names the endpoints that serve them: whether it names the Responses
 * format and not chat completions.
 */
export function readEndpoints(listing: unknown): ReadonlyMap<string, boolean> {
  const entries = isObject(listing) ? listing["data"] : undefined;
  if (!Array.isArray(entries)) return new Map();
  return new Map(
    entries
      .filter(isObject)
      .flatMap(({ id, supported_endpoints: endpoints }): readonly [string, boolean][] => {
        if (typeof id !== "string" || !Array.isArray(endpoints) || endpoints.length === 0) return [];
        const names = endpoints.map((endpoint) => String(endpoint).replace(/^\/v1/, ""));
        return [[id, names.includes("/responses") && !names.includes("/chat/completions")]];
      }),
  );
}
