import type { Json, JsonSchema } from "@pergola/sdk";
import type { PreferenceFault } from "@pergola/sdk/host";
import { codeOf, compile } from "../schema/validate.ts";

export type ValueFault = Omit<PreferenceFault, "key">;

export const invalid = (message: string): ValueFault => ({ code: "invalid_value", message });

/** What is wrong with a value that its place names. */
export function faultsOf(value: Json, property: JsonSchema, place: string): readonly ValueFault[] {
  try {
    return compile(property)(value).map(({ path, keyword, message }) => ({
      code: codeOf(keyword),
      message: `${place}${path.replace(/^(?=[^[])/, ".")} ${message}`,
    }));
  } catch (error) {
    return [invalid(`${place}: its own schema is faulty: ${(error as Error).message}`)];
  }
}
