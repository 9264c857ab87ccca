import { definePlugin, defineTool } from "@pergola/sdk";
import { add } from "./operations/add.ts";
import { manageTodos } from "./operations/manage-todos.ts";
import { read } from "./operations/read.ts";
import { update } from "./operations/update.ts";
import { write } from "./operations/write.ts";
import { TodoLists } from "./todo-lists.ts";

export const todoOperations = defineTool({
  name: "todo_operations",
  description: "Keep the to-do list of this conversation.",
  icon: "list-checks",
  aliases: {
    todo_read: "read",
    todo_write: "write",
    todo_update: "update",
    todo_add: "add",
    "memory_operations.manage_todos": "manage_todos",
  },
  operations: [read, write, update, add, manageTodos],
});

export default definePlugin({
  tools: [todoOperations],
  parts: { todos: (parts) => new TodoLists(parts.stores.storage) },
});
