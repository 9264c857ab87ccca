/** The parameters by which an operation is recognized. */
const signs: Readonly<Record<string, readonly string[]>> = {
  calculate: ["expression"],
  compute: ["code"],
  convert: ["from", "to"],
  formula: ["formula"],
};

/**
 * The operation that a call without one means: the first of these whose parameters are all there, in any
 * case.
 */
export function inferOperation(args: { readonly [name: string]: unknown }): string | undefined {
  const names = Object.keys(args).map((name) => name.toLowerCase());
  return Object.keys(signs).find((operation) => signs[operation]?.every((name) => names.includes(name)));
}
