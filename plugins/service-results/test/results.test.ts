import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import type { Parts, ResultRecord } from "@pergola/sdk/host";
import { memoryCollection } from "@pergola/sdk/testing";
import { Results } from "../results.ts";

const of = { callId: "call_1", tool: "lab", operation: "read", conversationId: "c" };

function open(threshold = 100) {
  const results = memoryCollection<ResultRecord>();
  const commit = async (writes: readonly { readonly put: ResultRecord }[]) => {
    for (const { put } of writes) await results.put(put);
  };
  const parts = {
    stores: { results, commit },
    preferences: { get: () => threshold },
    clock: { now: () => 0 },
  };
  return new Results(parts as unknown as Parts);
}

describe("a large result", () => {
  it("is kept as it is up to the threshold, counted in bytes", async () => {
    const fits = { success: true, data: "é".repeat(50), message: "" };
    expect(await open().store(fits, of)).to.equal(fits);
    const kept = await open().store({ ...fits, data: "é".repeat(51) }, of);
    expect(kept).to.include({ stored: true, totalLength: 51 });
  });

  it("shows its beginning, cut at a whole character, and where the rest stands", async () => {
    const kept = await open().store({ success: true, content: "😀".repeat(5000), message: "" }, of);
    const [head = "", marker] = (kept.content ?? "").split("\n");
    expect([...head]).to.have.length(2048);
    expect(head).to.equal("😀".repeat(2048));
    expect(marker).to.equal(
      `[TOOL_RESULT_STORED: resultId=${String(kept["resultId"])}, toolCallId=call_1, totalLength=5000, remaining=2952]`,
    );
  });

  it("gives back the exact original in pieces of any length", async () => {
    const text = "a😀é\n".repeat(100);
    const results = open();
    const { resultId } = await results.store({ success: true, data: text, message: "" }, of);
    const pieces: string[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const piece = await results.read(String(resultId), { offset, length: 7 });
      pieces.push(piece.content);
      offset = piece.nextOffset;
    }
    expect(pieces.join("")).to.equal(text);
  });

  it("is found by the id of its call too, and an unknown id is answered with close ones", async () => {
    const results = open();
    const { resultId } = await results.store({ success: true, data: "x".repeat(200), message: "" }, of);
    expect(await results.read("call_1", { offset: 0, length: 1 })).to.include({
      content: "x",
      hasMore: true,
    });
    const near = `${String(resultId).slice(0, -1)}?`;
    const failure = await results.read(near, { offset: 0, length: 1 }, "c").catch((error: unknown) => error);
    expect(AppError.is(failure) && failure.details).to.deep.equal({ similar: [resultId] });
  });

  it("belongs to its conversation", async () => {
    const results = open();
    const { resultId } = await results.store({ success: true, data: "x".repeat(200), message: "" }, of);
    const failure = await results
      .read(String(resultId), { offset: 0, length: 1 }, "another")
      .catch((error: unknown) => error);
    expect(failure).to.include({ code: "not_found" });
  });
});
