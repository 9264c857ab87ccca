import {
  isOpenTodo,
  type Collection,
  type Storage,
  type Todo,
  type TodoKeeper,
  type Write,
} from "@pergola/sdk";
import type { TodoList } from "./list-store.ts";

/** The collection that this plugin's operations know as `lists`. */
const collection = "tool-todo-operations/lists";

/** The lists of the operations, for the other parts of the host. */
export class TodoLists implements TodoKeeper {
  readonly #lists: Collection<TodoList>;

  constructor(storage: Storage) {
    this.#lists = storage.collection<TodoList>(collection, { indexes: [] });
  }

  async list(conversationId: string): Promise<readonly Todo[]> {
    return (await this.#lists.get(conversationId))?.items ?? [];
  }

  async unfinished(conversationId: string, runId?: string): Promise<readonly Todo[]> {
    const list = await this.#lists.get(conversationId);
    if (list === undefined || (runId !== undefined && list.runId !== runId)) return [];
    return list.items.filter(isOpenTodo);
  }

  async reminder(conversationId: string, runId?: string): Promise<string | undefined> {
    const open = await this.unfinished(conversationId, runId);
    if (open.length === 0) return undefined;
    const listed = open.slice(0, 20).map(({ id, title }) => `${id}. ${title}`);
    const advice =
      "Go on with them. Mark what is done as completed, and as blocked, with the reason, what you cannot do.";
    return ["Your to-do list has open items:", ...listed, advice].join("\n");
  }

  writes(id: string, todos: readonly Todo[]): readonly Write[] {
    const put: TodoList = { id, items: todos, runId: null };
    return [{ collection, put }];
  }

  deletionWrites(conversationId: string): readonly Write[] {
    return [{ collection, delete: conversationId }];
  }
}
