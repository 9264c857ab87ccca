import { expect } from "chai";
import { ChangeLog, type RecordChange } from "../change-log.ts";

const change = (id: string): RecordChange => ({
  kind: "folder",
  op: "put",
  id,
  conversationId: null,
  record: null,
});

const signal = new AbortController().signal;

describe("feature-events, its log of changes", () => {
  it("keeps the last 1,000, and says of what came before that it is not all there", () => {
    const log = new ChangeLog();
    for (let index = 1; index <= 1005; index++) log.add(change(String(index)));
    expect(log.after(4)).to.equal(undefined);
    expect(log.after(5)?.map(({ number }) => number)).to.deep.equal(
      Array.from({ length: 1000 }, (_, index) => index + 6),
    );
    expect(log.after(1004)?.map(({ change }) => change.id)).to.deep.equal(["1005"]);
    expect(log.after(1005)).to.deep.equal([]);
  });

  it("knows its own ids, and none of another start or of the future", () => {
    const log = new ChangeLog();
    log.add(change("a"));
    const numbers = [log.idOf(1), log.idOf(0), log.idOf(2), new ChangeLog().idOf(0), "x", "1"];
    expect(numbers.map((id) => log.numberIn(id))).to.deep.equal([
      1,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("wakes who waits at the next change, and when it leaves", async () => {
    const log = new ChangeLog();
    const leaving = new AbortController();
    const waits = [log.next(signal), log.next(signal), log.next(leaving.signal)];
    log.add(change("a"));
    await Promise.all(waits);
    const leaves = log.next(leaving.signal);
    leaving.abort();
    await leaves;
    await log.next(leaving.signal);
  });
});
