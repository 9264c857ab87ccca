import { expect } from "chai";
import type { Change, Storage, Todo } from "@pergola/sdk";
import { memoryCollection } from "@pergola/sdk/testing";
import type { TodoList } from "../list-store.ts";
import { TodoLists } from "../todo-lists.ts";

const todo: Todo = { id: 1, title: "Water the roses", status: "not-started" };

describe("the lists for the other parts of the host", () => {
  it("are read once until they change", async () => {
    const stored = memoryCollection<TodoList>();
    const listeners: ((change: Change) => void)[] = [];
    let reads = 0;
    const get = (id: string) => {
      reads += 1;
      return stored.get(id);
    };
    const lists = new TodoLists({
      collection: () => ({ ...stored, get }),
      watch: (_: string, listener: (change: Change) => void) => listeners.push(listener),
    } as unknown as Storage);
    const change = async (items: readonly Todo[]): Promise<void> => {
      await stored.put({ id: "c", items, runId: "run_1" });
      for (const listener of listeners) listener({ collection: "", id: "c", deleted: false });
    };

    expect(await lists.list("c")).to.deep.equal([]);
    expect(await lists.unfinished("c")).to.deep.equal([]);
    expect(reads).to.equal(1);
    await change([todo]);
    expect(await lists.list("c")).to.deep.equal([todo]);
    expect(await lists.reminder("c", "run_1")).to.include("Water the roses");
    expect(reads).to.equal(2);
  });
});
