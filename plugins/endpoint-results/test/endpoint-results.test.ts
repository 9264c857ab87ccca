import { expect } from "chai";
import { AppError, type EndpointAnswer, type StoredResult } from "@pergola/sdk";
import { endpointRequest, fakeServices } from "@pergola/sdk/testing";
import { readToolResult } from "../routes/read-tool-result.ts";

const content = "añ😀".repeat(700_000);
const codePoints = [...content];
const reads: unknown[][] = [];

const services = fakeServices({
  conversations: { idOf: (id) => `id of ${id}` },
  results: {
    read: async (id, { offset, length }, conversationId): Promise<StoredResult> => {
      reads.push([id, offset, length, conversationId]);
      if (id !== "result_1")
        throw new AppError({ code: "not_found", message: "No.", details: { similar: ["result_1"] } });
      const piece = codePoints.slice(offset, offset + length);
      const hasMore = offset + piece.length < codePoints.length;
      const facts = {
        mimeType: "text/plain",
        toolName: "file_operations",
        operation: "read_file",
        conversationId: "c1",
        bytes: 7,
        createdAt: "2026-01-01T00:00:00.000Z",
      };
      const place = {
        offset,
        length: piece.length,
        totalLength: codePoints.length,
        hasMore,
        nextOffset: hasMore ? offset + piece.length : null,
      };
      return { resultId: "result_1", toolCallId: "call_1", content: piece.join(""), ...place, ...facts };
    },
  },
});

const read = async (query: object): Promise<EndpointAnswer> => {
  const defaults = { offset: 0, length: 8192, raw: false };
  return readToolResult.handle(endpointRequest({ query: { ...defaults, ...query } }), services);
};
const failure = (query: object): Promise<unknown> => read(query).then(String, (cause: unknown) => cause);

describe("GET /api/tool_result", () => {
  beforeEach(() => reads.splice(0));

  it("gives a piece in code points, with what is known of the result", async () => {
    const answer = await read({ resultId: "result_1", offset: 1, length: 2 });
    expect(answer).to.deep.equal({
      body: {
        resultId: "result_1",
        toolCallId: "call_1",
        offset: 1,
        length: 2,
        totalLength: 2_100_000,
        content: "ñ😀",
        nextOffset: 3,
        hasMore: true,
        metadata: {
          mimeType: "text/plain",
          toolName: "file_operations",
          operation: "read_file",
          conversationId: "c1",
          bytes: 7,
          createdAt: "2026-01-01T00:00:00.000Z",
        },
      },
    });
  });

  it("says nextOffset null at the end", async () => {
    const answer = await read({ resultId: "result_1", offset: codePoints.length });
    expect("body" in answer && answer.body).to.include({
      content: "",
      length: 0,
      nextOffset: null,
      hasMore: false,
    });
  });

  it("looks only into the conversation that is named, by id or alias", async () => {
    await read({ resultId: "result_1", conversationId: "mine" });
    expect(reads).to.deep.equal([["result_1", 0, 8192, "id of mine"]]);
  });

  it("T29: raw gives the whole text unchanged as text/plain", async () => {
    const answer = await read({ resultId: "result_1", raw: true, offset: 5 });
    if (!("chunks" in answer)) return expect.fail("raw text comes in chunks");
    expect(answer.contentType).to.equal("text/plain; charset=utf-8");
    const pieces: string[] = [];
    for await (const piece of answer.chunks) pieces.push(piece);
    expect(pieces).to.have.lengthOf(3);
    expect(pieces.join("") === content).to.equal(true);
  });

  for (const query of [{}, { resultId: "" }]) {
    it(`asks for the id when the query is ${JSON.stringify(query)}`, async () => {
      expect(await failure(query)).to.include({ code: "missing_field", param: "resultId" });
    });
  }

  it("T16: an unknown id fails with close ones, raw too", async () => {
    expect(await failure({ resultId: "result_2" })).to.deep.include({
      code: "not_found",
      details: { similar: ["result_1"] },
    });
    expect(await failure({ resultId: "result_2", raw: true })).to.include({ code: "not_found" });
  });
});
