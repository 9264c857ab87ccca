import type { OfferedTool } from "@pergola/sdk";

/**
 * A translation of tools that works each tool out once. The same objects are offered with every call, and
 * with all tools on they are most of what a request holds.
 */
export function memoizePerTool<T, Rest extends readonly unknown[]>(
  translate: (tool: OfferedTool, ...rest: Rest) => T,
): (tool: OfferedTool, ...rest: Rest) => T {
  const known = new WeakMap<OfferedTool, T>();
  return (tool, ...rest) => {
    const translated = known.get(tool) ?? translate(tool, ...rest);
    known.set(tool, translated);
    return translated;
  };
}
