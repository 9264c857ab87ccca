const signs: readonly (readonly [operation: string, keys: readonly string[]])[] = [
  ["calculate", ["expression"]],
  ["compute", ["code"]],
  ["convert", ["from", "to"]],
  ["formula", ["formula"]],
];

/**
 * The operation that a call without one means: the first of these whose parameters are all there, in any
 * case.
 */
export function inferOperation(args: { readonly [name: string]: unknown }): string | undefined {
  const given = new Set(Object.keys(args).map((key) => key.toLowerCase()));
  return signs.find(([, keys]) => keys.every((key) => given.has(key)))?.[0];
}
