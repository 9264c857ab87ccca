import { isObject } from "@pergola/sdk";

/**
 * TypeScript as JavaScript, line by line: types become spaces. Rejects with the line of what is wrong, or of
 * what would need more than that (`enum`, `namespace`, parameter properties).
 */
export async function withoutTypes(text: string): Promise<string> {
  const { default: swc } = await import("@swc/wasm-typescript");
  try {
    return swc.transformSync(text, { mode: "strip-only", module: true }).code;
  } catch (fault) {
    if (!isObject(fault)) throw fault;
    const { startLine, message } = fault as { readonly startLine?: number; readonly message: string };
    throw new Error(startLine === undefined ? message : `line ${startLine}: ${message}`, { cause: fault });
  }
}
