import { ToolError, type Operation, type ToolContext } from "@pergola/sdk";
import { doorMethods } from "./door-methods.ts";

const changing = new Set<string>(["write", "writeAll", "makeDirectory", "rename", "remove"]);
const harmless = new Set<unknown>(["none", "read"]);

/** Whether an operation has said that it may change files. */
export const mayWrite = ({ effect, effects = [] }: Operation): boolean =>
  [effect, ...effects].some((one) => typeof one === "string" && !harmless.has(one));

/**
 * The context of an operation that only reads: nobody was asked whether it may write, so it may not, whatever
 * its plugin's permissions.
 */
export function withoutWrites(context: ToolContext): ToolContext {
  const refuse = async (): Promise<never> => {
    throw new ToolError("permission_denied", "This operation says that it only reads; it may not write.", {
      hint: "Its plugin would have to declare the effect write.",
    });
  };
  const files = Object.fromEntries(
    doorMethods.files.map((method) => [
      method,
      changing.has(method) ? refuse : context.files[method].bind(context.files),
    ]),
  ) as unknown as ToolContext["files"];
  return { ...context, files };
}
