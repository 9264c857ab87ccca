import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { readTodos } from "../list-store.ts";
import { renderList } from "../render-list.ts";

export const read = defineOperation({
  name: "read",
  description: "Show the list.",
  effect: "read",
  parameters: {},
  display: () => card("Read to-dos"),
  examples: [
    { say: "show my to-do list", arguments: {} },
    { say: "what is left to do?", arguments: {} },
    { say: "which todos are open", arguments: {} },
    { say: "how far are we with the tasks", arguments: {} },
  ],
  async run(_args, context) {
    const items = await readTodos(context);
    const message =
      items.length === 0 ? "The list is empty." : "Update a to-do as soon as its state changes.";
    return { data: renderList(items), message };
  },
});
