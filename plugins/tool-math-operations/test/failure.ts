import { ToolError, type Operation } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";

type Arguments = Readonly<Record<string, unknown>>;

export const dataOf = async (operation: Operation, args: Arguments): Promise<string> =>
  (await runOperation(operation, args, toolContext())).data as string;

/** The ToolError that a call ends with. */
export async function failure(
  operation: Operation,
  args: Arguments,
  context = toolContext(),
): Promise<ToolError> {
  const error: unknown = await runOperation(operation, args, context).catch((thrown: unknown) => thrown);
  if (ToolError.is(error)) return error;
  throw new Error(`The call did not fail with a ToolError: ${JSON.stringify(error)}`);
}
