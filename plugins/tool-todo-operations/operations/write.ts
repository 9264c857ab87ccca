import { countOf, defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { changeTodos } from "../list-store.ts";
import { tally } from "../render-list.ts";
import { droppedFrom, faultsOf, refuse } from "../rules.ts";
import { statuses, todoList, type Todo } from "../todo.ts";

const countsOf = (items: readonly Todo[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    statuses.map((status) => [status, items.filter((item) => item.status === status).length]),
  );

export const write = defineOperation({
  name: "write",
  description: "Replace the list; completed to-dos must stay in it.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: { todoList },
  required: ["todoList"],
  display: (args) =>
    card(
      "Write to-dos",
      args.todoList.map(({ title }) => title),
    ),
  examples: [
    {
      say: "make a todo list: buy milk, then bake the cake",
      arguments: {
        todoList: [
          { id: 1, title: "Buy milk", status: "not-started" },
          { id: 2, title: "Bake the cake", status: "not-started", dependencies: [1] },
        ],
      },
    },
    {
      say: "replace my todo list with one item: call Anna",
      arguments: { todoList: [{ id: 1, title: "Call Anna", status: "not-started" }] },
    },
    {
      say: "plan the work as todos: design (in progress), then build",
      arguments: {
        todoList: [
          { id: 1, title: "Design", status: "in-progress" },
          { id: 2, title: "Build", status: "not-started" },
        ],
      },
    },
    {
      say: "turn this into todos: sow, then water",
      arguments: {
        todoList: [
          { id: 1, title: "Sow", status: "not-started" },
          { id: 2, title: "Water", status: "not-started", dependencies: [1] },
        ],
      },
    },
    {
      say: "the new todo list: wash the car, then fill it up",
      arguments: {
        todoList: [
          { id: 1, title: "Wash the car", status: "not-started" },
          { id: 2, title: "Fill it up", status: "not-started", dependencies: [1] },
        ],
      },
    },
    {
      say: "replace the todo list by: rest",
      arguments: { todoList: [{ id: 1, title: "Rest", status: "not-started" }] },
    },
  ],
  run: ({ todoList: items }, context) =>
    changeTodos(context, (before) => {
      refuse([...droppedFrom(before, items), ...faultsOf(items)], "Correct the list and write it again.");
      const data = { before: countsOf(before), after: countsOf(items) };
      return {
        items,
        result: { data, message: `Stored ${countOf(items.length, "to-do")}: ${tally(items)}.` },
      };
    }),
});
