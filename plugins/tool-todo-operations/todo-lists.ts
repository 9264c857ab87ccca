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

/** Lists that are held in memory. */
const most = 200;

/** The lists of the operations, for the other parts of the host. */
export class TodoLists implements TodoKeeper {
  readonly #lists: Collection<TodoList>;
  /** As they were read since their last change. */
  readonly #read = new Map<string, Promise<TodoList | undefined>>();

  constructor(storage: Storage) {
    this.#lists = storage.collection<TodoList>(collection, { indexes: [] });
    storage.watch(collection, ({ id }) => void this.#read.delete(id));
  }

  #get(conversationId: string): Promise<TodoList | undefined> {
    const list = this.#read.get(conversationId) ?? this.#lists.get(conversationId);
    this.#read.delete(conversationId);
    this.#read.set(conversationId, list);
    list.catch(() => this.#read.delete(conversationId));
    const [oldest = ""] = this.#read.keys();
    if (this.#read.size > most) this.#read.delete(oldest);
    return list;
  }

  async list(conversationId: string): Promise<readonly Todo[]> {
    return (await this.#get(conversationId))?.items ?? [];
  }

  async unfinished(conversationId: string, runId?: string): Promise<readonly Todo[]> {
    const list = await this.#get(conversationId);
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
