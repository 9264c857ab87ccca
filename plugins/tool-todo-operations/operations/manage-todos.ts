import { defineOperation, ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { allFields, listOf, type Todo } from "../todo.ts";
import { read } from "./read.ts";
import { update } from "./update.ts";
import { write } from "./write.ts";

type Items = readonly Partial<Todo>[];

/** A written list is of whole to-dos; an update names some fields of them. */
function whole(items: Items): Items {
  const wrong = items.findIndex(({ title, status }) => title === undefined || status === undefined);
  if (wrong < 0) return items;
  const hint =
    'A right call: {"operation":"manage_todos","todoOperation":"write",' +
    '"todoList":[{"id":1,"title":"Buy milk","status":"not-started"}]}';
  throw new ToolError("missing_required", `todoList[${wrong}] needs id, title and status.`, { hint });
}

const actions: Readonly<
  Record<"read" | "write" | "update", (items: Items, context: ToolContext) => Promise<OperationResult>>
> = {
  read: (_items, context) => read.run({} as never, context),
  write: (todoList, context) => write.run({ todoList: whole(todoList) } as never, context),
  update: (todoUpdates, context) => update.run({ todoUpdates } as never, context),
};

/** The list under the name that memory_operations takes: read, written or updated by one operation. */
export const manageTodos = defineOperation({
  name: "manage_todos",
  description: "Read, write or update the to-do list.",
  hidden: true,
  effect: ({ todoOperation }) => (todoOperation === "read" ? "read" : "write"),
  effects: ["read", "write"],
  place: "own",
  recovery: "repeat",
  parameters: {
    todoOperation: { type: "string", enum: ["read", "write", "update"] },
    todoList: listOf(
      { type: "object", properties: allFields, required: ["id"] },
      "The new list, or changed fields by id",
    ),
  },
  required: ["todoOperation"],
  examples: [
    { say: "read the todos that memory keeps", arguments: { todoOperation: "read" } },
    {
      say: "write the todos anew: buy milk",
      arguments: { todoOperation: "write", todoList: [{ id: 1, title: "Buy milk", status: "not-started" }] },
    },
  ],
  run: ({ todoOperation, todoList = [] }, context): Promise<OperationResult> =>
    actions[todoOperation](todoList as Items, context),
});
