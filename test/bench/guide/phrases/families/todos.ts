import { has, phrase, type Phrase, silent } from "../../phrase.ts";

export const todos: readonly Phrase[] = [
  phrase("show me the todo list", ["todo_operations.read", "read"], {}),
  phrase("what's left to do?", ["todo_operations.read", "read"], {}),
  phrase("which tasks are still open?", ["todo_operations.read", "read"], {}),
  phrase("what is on my to-do list", ["todo_operations.read", "read"], {}),
  phrase("add call the plumber to my todo list", "add", { newTodos: has("call the plumber") }),
  phrase("add buy stamps to the to-do list", "add", { newTodos: has("buy stamps") }),
  phrase("new task: clean the windows", "add", { newTodos: has("clean the windows") }),
  phrase("new todo: book a hotel", "add", { newTodos: has("book a hotel") }),
  phrase("mark todo 3 as done", "update", { todoUpdates: [{ id: 3, status: "completed" }] }),
  phrase("mark task 5 as completed", "update", { todoUpdates: [{ id: 5, status: "completed" }] }),
  silent("there is so much to do"),
  silent("I finished all of it"),
  silent("clear my todos"),
  silent("done"),
  phrase("new todo list: buy paint, then paint the fence", "write", {
    todoList: has("buy paint", "paint the fence"),
  }),
  phrase("replace the todos with: phone Clara", "write", { todoList: has("phone Clara") }),
  phrase("turn this into todos: book the train, then pack", "write", {
    todoList: has("book the train", "pack"),
  }),
  phrase("write a new todo list: sort the photos, then print them", "write", {
    todoList: has("sort the photos", "print them"),
  }),
  phrase("give todo 7 a low priority", "update", { todoUpdates: [{ id: 7, priority: "low" }] }),
  phrase("begin with task 2", "update", { todoUpdates: [{ id: 2, status: "in-progress" }] }),
  phrase("mark todo 5 as blocked because the key is missing", "update", {
    todoUpdates: [{ id: 5, status: "blocked", blockedReason: "The key is missing" }],
  }),
  phrase("task 2 is finished", "update", { todoUpdates: [{ id: 2, status: "completed" }] }),
  phrase("put fix the bike on my todo list", "add", { newTodos: has("fix the bike") }),
  phrase("put file the tax return on the list with high priority", "add", {
    newTodos: has("file the tax return", "high"),
  }),
  silent("don't mark todo 3 as done"),
  silent("what would change if I finished todo 2?"),
  silent("should I add that to my list?"),
  silent("how do I mark a todo as done?"),
];
