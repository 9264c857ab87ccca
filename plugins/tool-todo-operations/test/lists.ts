import { ToolError, type JsonObject, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { todoOperations } from "../index.ts";
import type { Todo } from "../todo.ts";

export const operationNamed = (name: string) =>
  todoOperations.operations.find((operation) => operation.name === name)!;

export const item = (id: number, more: JsonObject = {}): JsonObject => ({
  id,
  title: `Step ${id}`,
  status: "not-started",
  ...more,
});

/** A conversation's list, and the operations on it. */
export function list(context: ToolContext = toolContext()) {
  const run = (name: string, args: JsonObject = {}): Promise<OperationResult> =>
    runOperation(operationNamed(name), args, context);
  return {
    context,
    run,
    write: (...todoList: JsonObject[]) => run("write", { todoList }),
    update: (...todoUpdates: JsonObject[]) => run("update", { todoUpdates }),
    add: (...newTodos: JsonObject[]) => run("add", { newTodos }),
    text: async () => (await run("read")).data,
    stored: async (): Promise<readonly Todo[]> =>
      (await context.collection<{ id: string; items: readonly Todo[] }>("lists").get(context.conversationId))
        ?.items ?? [],
  };
}

/** The ToolError that a call fails with. */
export async function failure(call: Promise<unknown>): Promise<ToolError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (ToolError.is(error)) return error;
  throw new Error("the call did not fail with a ToolError", { cause: error });
}
