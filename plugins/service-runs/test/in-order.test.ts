import { expect } from "chai";
import { AppError, type Entity, type Write } from "@pergola/sdk";
import { memoryCollection } from "@pergola/sdk/testing";
import { inOrder } from "../in-order.ts";

/** A storage that loses the commits of these numbers. */
function scene(lost: readonly number[], version: number) {
  const runs = memoryCollection<Entity>();
  const messages: string[] = [];
  let count = 0;
  const commit = async (writes: readonly Write[]): Promise<void> => {
    const number = count++;
    if (lost.includes(number)) throw new AppError({ code: "storage_unavailable", message: "It is away." });
    for (const write of writes)
      if ("put" in write && write.collection === "runs")
        await runs.put(write.put, write.ifVersion === undefined ? {} : { ifVersion: write.ifVersion });
    messages.push(...writes.flatMap((write) => ("put" in write ? write.put.id : [])));
  };
  const ordered = inOrder(commit, "run_1", version);
  const write = (id: string): Promise<unknown> =>
    ordered([
      { collection: "messages", put: { id } },
      { collection: "runs", put: { id: "run_1" } },
    ]).then(
      () => "made",
      ({ code }: AppError) => code,
    );
  return { runs, messages, write };
}

describe("the commits of a run", () => {
  it("are made one after the other, of a new run and of one that goes on", async () => {
    const { write, messages, runs } = scene([], 0);
    expect(await Promise.all(["a", "b"].map(write))).to.deep.equal(["made", "made"]);
    expect(messages).to.deep.equal(["a", "run_1", "b", "run_1"]);
    const versions: unknown[] = [(await runs.get("run_1"))?.version];
    const note = async ([one]: readonly Write[]) =>
      void versions.push((one as { ifVersion?: number }).ifVersion);
    const goingOn = inOrder(note, "run_1", 2);
    for (let times = 0; times < 2; times += 1) await goingOn([{ collection: "runs", put: { id: "run_1" } }]);
    expect(versions).to.deep.equal([2, 2, 3]);
  });

  it("come to nothing behind one that was lost", async () => {
    const { write, messages } = scene([1], 0);
    const outcomes = await Promise.all(["a", "b", "c"].map(write));
    expect(outcomes).to.deep.equal(["made", "storage_unavailable", "conflict"]);
    expect(messages).to.deep.equal(["a", "run_1"]);
  });
});
