import { countOf, defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { changeTodos, readTodos } from "../list-store.ts";
import { faultsOf, refuse } from "../rules.ts";
import { listOf, newFields, type Todo } from "../todo.ts";

export const add = defineOperation({
  name: "add",
  description: "Add to-dos at the end; they get new ids.",
  effect: "write",
  place: "own",
  recovery: "reconcile",
  parameters: {
    newTodos: listOf({ type: "object", properties: newFields, required: ["title"] }, "What to add"),
  },
  required: ["newTodos"],
  display: (args) =>
    card(
      "Add to-dos",
      args.newTodos.map(({ title }) => title),
    ),
  examples: [
    { say: "add buy milk to my todo list", arguments: { newTodos: [{ title: "Buy milk" }] } },
    {
      say: "add a high priority todo: renew the passport",
      arguments: { newTodos: [{ title: "Renew the passport", priority: "high" }] },
    },
    {
      say: "put call Bob and write to Eve on the to-do list",
      arguments: { newTodos: [{ title: "Call Bob" }, { title: "Write to Eve" }] },
    },
    { say: "new task: water the plants", arguments: { newTodos: [{ title: "Water the plants" }] } },
    { say: "put call Bob on my todo list", arguments: { newTodos: [{ title: "Call Bob" }] } },
    { say: "add to my todo list: sweep the floor", arguments: { newTodos: [{ title: "Sweep the floor" }] } },
    {
      say: "put call Eve on the list of todos with high priority",
      arguments: { newTodos: [{ title: "Call Eve", priority: "high" }] },
    },
  ],
  run: ({ newTodos }, context) =>
    changeTodos(context, (before) => {
      const last = before.reduce((most, { id }) => Math.max(most, id), 0);
      const fresh = newTodos.map((todo, index): Todo => {
        return {
          ...todo,
          id: last + index + 1,
          status: todo.status ?? "not-started",
          addedBy: context.callId,
        };
      });
      const items = [...before, ...fresh];
      refuse(faultsOf(items), "Add them as not-started and set the rest with update.");
      const data = { added: fresh.map(({ id, title }) => ({ id, title })) };
      return { items, result: { data, message: `Added ${countOf(fresh.length, "to-do")}.` } };
    }),
  async reconcile(_args, context) {
    const items = await readTodos(context);
    return items.some(({ addedBy }) => addedBy === context.callId) ? "happened" : "did_not_happen";
  },
});
