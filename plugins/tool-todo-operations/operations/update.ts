import { defineOperation } from "@pergola/sdk";
import { applyUpdates } from "../apply-updates.ts";
import { card } from "../card.ts";
import { changeTodos } from "../list-store.ts";
import { tally } from "../render-list.ts";
import { faultsOf, refuse } from "../rules.ts";
import { allFields, listOf } from "../todo.ts";

const idsOf = (items: readonly { readonly id: number }[]): readonly number[] => items.map(({ id }) => id);

const listed = (what: string, ids: readonly number[]): string =>
  ids.length === 0 ? "" : `${what}: ${ids.join(", ")}. `;

export const update = defineOperation({
  name: "update",
  description: "Change fields of to-dos.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {
    todoUpdates: listOf(
      { type: "object", properties: allFields, required: ["id"] },
      "Ids with their changed fields",
    ),
  },
  required: ["todoUpdates"],
  display: (args) =>
    card(
      "Update to-dos",
      args.todoUpdates.map(({ id, status }) => [id, status].filter((part) => part !== undefined).join(": ")),
    ),
  examples: [
    { say: "mark todo 2 as done", arguments: { todoUpdates: [{ id: 2, status: "completed" }] } },
    { say: "start working on todo 1", arguments: { todoUpdates: [{ id: 1, status: "in-progress" }] } },
    {
      say: "todo 3 is blocked because the server is down",
      arguments: { todoUpdates: [{ id: 3, status: "blocked", blockedReason: "The server is down" }] },
    },
    { say: "set the priority of task 4 to high", arguments: { todoUpdates: [{ id: 4, priority: "high" }] } },
    { say: "give task 3 a high priority", arguments: { todoUpdates: [{ id: 3, priority: "high" }] } },
    {
      say: "mark todo 3 as blocked because the server is down",
      arguments: { todoUpdates: [{ id: 3, status: "blocked", blockedReason: "The server is down" }] },
    },
    { say: "todo 4 is done", arguments: { todoUpdates: [{ id: 4, status: "completed" }] } },
    { say: "I finished todo 2", arguments: { todoUpdates: [{ id: 2, status: "completed" }] } },
    { say: "I am working on todo 1", arguments: { todoUpdates: [{ id: 1, status: "in-progress" }] } },
    { say: "todo 4 has high priority", arguments: { todoUpdates: [{ id: 4, priority: "high" }] } },
    { say: "todo 4 is in progress", arguments: { todoUpdates: [{ id: 4, status: "in-progress" }] } },
    { say: "start todo 3", arguments: { todoUpdates: [{ id: 3, status: "in-progress" }] } },
    { say: "finish todo 2", arguments: { todoUpdates: [{ id: 2, status: "completed" }] } },
  ],
  run: ({ todoUpdates }, context) =>
    changeTodos(context, (before) => {
      const { items, applied, failed, redundant } = applyUpdates(before, todoUpdates);
      refuse(faultsOf(items), "Correct the updates and send them again.");
      const parts = [
        listed("Changed", applied),
        listed("Already so", redundant),
        listed("Not in the list", idsOf(failed)),
        failed.length > 0 && listed("In the list", idsOf(before.slice(0, 50))),
        `${tally(items)}.`,
      ];
      const message = parts.filter(Boolean).join("");
      return { items, result: { data: { applied, failed, redundant }, message } };
    }),
});
