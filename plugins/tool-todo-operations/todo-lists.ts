import type { Collection, Storage, Todo, TodoKeeper, Write } from "@pergola/sdk";
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

  writes(id: string, todos: readonly Todo[]): readonly Write[] {
    const put: TodoList = { id, items: todos };
    return [{ collection, put }];
  }

  forgetting(conversationId: string): readonly Write[] {
    return [{ collection, delete: conversationId }];
  }
}
