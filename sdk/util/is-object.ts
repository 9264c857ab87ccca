/** True for an object with named fields: neither null nor an array. Narrows `Json` to `JsonObject`. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
