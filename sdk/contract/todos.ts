import type { Write } from "./storage.ts";

/** Where a to-do stands. */
export type TodoStatus = "not-started" | "in-progress" | "completed" | "blocked";

/** An item of a conversation's to-do list. */
export interface Todo {
  /** Unique in its list. */
  readonly id: number;
  readonly title: string;
  readonly status: TodoStatus;
  readonly description?: string;
  readonly priority?: "low" | "medium" | "high" | "critical";
  /** Ids of to-dos that come first. */
  readonly dependencies?: readonly number[];
  readonly canRunParallel?: boolean;
  readonly parallelGroup?: string;
  /** 0 to 1. */
  readonly progress?: number;
  readonly blockedReason?: string;
}

/** Neither done nor blocked: a model can go on with it. */
export const isOpenTodo = ({ status }: Pick<Todo, "status">): boolean =>
  status === "not-started" || status === "in-progress";

/** The to-do lists of conversations. */
export interface TodoService {
  /** In the order of the list; empty when there is none. */
  list(conversationId: string): Promise<readonly Todo[]>;
}

/** The to-do lists of conversations, as the host uses them. A plugin brings it as its part `todos`. */
export interface TodoKeeper extends TodoService {
  /** Those that are open; of a run, those of a list that it was the last to change. */
  unfinished(conversationId: string, runId?: string): Promise<readonly Todo[]>;
  /** What a model is told of the same when it stops before they are done; undefined when there are none. */
  reminder(conversationId: string, runId?: string): Promise<string | undefined>;
  /**
   * The writes that replace a list, for somebody's commit; whoever makes it sees to the rules of the list.
   */
  writes(conversationId: string, todos: readonly Todo[]): readonly Write[];
  /** The writes that remove a list, for somebody's commit. */
  deletionWrites(conversationId: string): readonly Write[];
}
