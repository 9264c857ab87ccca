import { writeFileSync } from "node:fs";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import {
  calling,
  labCall,
  openLab,
  outcomesOf,
  play,
  saying,
  sentTo,
  type Outcome,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

interface Chunk {
  readonly resultId: string;
  readonly toolCallId: string;
  readonly offset: number;
  readonly length: number;
  readonly totalLength: number;
  readonly content: string;
  readonly nextOffset: number | null;
  readonly hasMore: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly details?: { readonly similar?: readonly string[] } };
}

/** 4 bytes and 2 code units a letter, with lines that a careless store would wrap, trim or normalise. */
const text = `\r\n  ${"𝔸e\u0301\u0000 \t".repeat(4000)}\r\n\ufeff`;
const codePoints = [...text];

const refusalText = (outcome?: Outcome): string => `${outcome?.error ?? ""} ${outcome?.message ?? ""}`;

describe("large results", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { storage: { type: "sqlite" } } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const store = async (name: string, content = text): Promise<Outcome> => {
    lab.texts.set(name, content);
    await play(stage, [calling(labCall("peek", name)), saying("done")], { conversationId: name });
    return (await outcomesOf(stage.host, name))[0] as Outcome;
  };
  const read = (query: string) => stage.host.json<Chunk>("GET", `/api/tool_result?${query}`);

  verifies(
    ["loop:large-results", "T28"],
    "are stored above 16,384 bytes, not at 16,384, whatever the tool",
    async () => {
      for (const whole of ["a".repeat(16_384), "é".repeat(8192), "𝔸".repeat(4096)]) {
        const { data, stored, resultId } = await store(`whole ${whole.length} ${whole.charCodeAt(0)}`, whole);
        expect([data, stored, resultId]).to.deep.equal([whole, undefined, undefined]);
      }
      for (const over of ["a".repeat(16_385), `a${"é".repeat(8192)}`, `ab${"𝔸".repeat(4096)}`]) {
        const {
          data = "",
          stored,
          resultId,
          totalLength,
        } = await store(`over ${over.length} ${over.charCodeAt(0)}`, over);
        expect([stored, totalLength]).to.deep.equal([true, [...over].length]);
        expect(resultId).to.match(/^res_[0-9a-f]{32}$/);
        const [head = "", marker = ""] = data.split("\n");
        expect(Buffer.byteLength(head)).to.be.within(8189, 8192);
        expect(over.startsWith(head)).to.equal(true);
        const remaining = [...over].length - [...head].length;
        expect(marker).to.match(
          new RegExp(
            `^\\[TOOL_RESULT_STORED: resultId=${resultId as string}, toolCallId=\\S+, totalLength=${[...over].length}, remaining=${remaining}\\]$`,
          ),
        );
      }
      expect(sentTo(stage.provider, -1).at(-1)?.content).to.include("TOOL_RESULT_STORED");
    },
  );

  verifies("T28", "follow the same rule for a call by hand, and for a file's content", async () => {
    const folder = temporaryFolder();
    writeFileSync(`${folder}/a.txt`, "a".repeat(16_384));
    writeFileSync(`${folder}/b.txt`, "a".repeat(16_385));
    const execute = async (filePath: string) => {
      const body = { tool: "read_file", arguments: { filePath, limit: 10 }, workingDirectory: folder };
      return (
        await stage.host.json<{ result: string; toolResult: Outcome }>("POST", "/debug/mcp/execute", body)
      ).body;
    };
    const [a, b] = [await execute("a.txt"), await execute("b.txt")];
    expect(a.result).to.have.lengthOf(16_384);
    expect(b.toolResult.stored).to.equal(true);
    expect(b.result).to.match(/\n\[TOOL_RESULT_STORED: /);
    expect((await read(`resultId=${b.toolResult["resultId"] as string}`)).body.totalLength).to.equal(16_385);
  });

  verifies(
    ["loop:large-results", "results:read", "T29", "T30"],
    "come back byte for byte, by code points",
    async () => {
      const { resultId } = (await store("exact")) as Outcome & { resultId: string };
      const raw = await stage.host.request("GET", `/api/tool_result?resultId=${resultId}&raw=true`);
      expect(raw.headers.get("content-type")).to.match(/^text\/plain/);
      expect(Buffer.from(await raw.arrayBuffer()).equals(Buffer.from(text))).to.equal(true);
      let whole = "";
      for (let offset: number | null = 0; offset !== null;) {
        const { body } = await read(`resultId=${resultId}&offset=${offset}&length=7001`);
        expect(body).to.include({
          resultId,
          offset,
          totalLength: codePoints.length,
          length: [...body.content].length,
        });
        expect(body.hasMore).to.equal(body.nextOffset !== null);
        whole += body.content;
        offset = body.nextOffset;
      }
      expect(whole === text).to.equal(true);
      expect((await read(`resultId=${resultId}`)).body.length).to.equal(8192);
      expect((await read(`resultId=${resultId}&offset=5&length=2`)).body.content).to.equal(
        codePoints.slice(5, 7).join(""),
      );
    },
  );

  verifies(
    ["results:read", "T30"],
    "end without content at their length, and refuse what lies behind it",
    async () => {
      const { resultId } = (await store("edges")) as Outcome & { resultId: string };
      const end = await read(`resultId=${resultId}&offset=${codePoints.length}`);
      expect([end.status, end.body.content, end.body.nextOffset, end.body.hasMore]).to.deep.equal([
        200,
        "",
        null,
        false,
      ]);
      for (const query of [
        `offset=${codePoints.length + 1}`,
        "offset=-1",
        "length=0",
        "length=32769",
        "offset=x",
        "length=1.5",
      ]) {
        const { status } = await read(`resultId=${resultId}&${query}`);
        expect(`${query} ${status}`).to.equal(`${query} 400`);
      }
      expect((await read("")).status).to.equal(400);
    },
  );

  verifies("results:read", "tell what they are, and belong to their conversation", async () => {
    const { resultId } = (await store("owned", "x".repeat(20_000))) as Outcome & { resultId: string };
    const { body } = await read(`resultId=${resultId}&conversationId=owned`);
    expect(body.metadata).to.include({
      mimeType: "text/plain",
      toolName: "lab",
      operation: "peek",
      bytes: 20_000,
    });
    expect(body.metadata).to.have.all.keys(
      "mimeType",
      "toolName",
      "operation",
      "conversationId",
      "bytes",
      "createdAt",
    );
    expect((await read(`toolCallId=${body.toolCallId}`)).body.resultId).to.equal(resultId);
    expect((await read(`resultId=${resultId}&conversationId=edges`)).status).to.equal(404);
    const typo = `${resultId.slice(0, -2)}zz`;
    const close = await read(`resultId=${typo}&conversationId=owned`);
    expect([close.status, close.body.error?.code]).to.deep.equal([404, "not_found"]);
    expect(close.body.error?.details?.similar).to.deep.equal([resultId]);
    expect((await read(`resultId=${typo}`)).body.error?.details).to.equal(undefined);
  });

  verifies(
    ["T16", "T27"],
    "are found by id alone after a restart, by the tool too; unknown ids fail",
    async () => {
      const { resultId } = (await store("kept")) as Outcome & { resultId: string };
      await stage.host.restart();
      expect((await read(`resultId=${resultId}`)).body.totalLength).to.equal(codePoints.length);
      const reads = (id: string, more: object = {}) => ({
        name: "read_tool_result",
        arguments: { result_id: id, ...more },
      });
      const alias = {
        name: "file_operations",
        arguments: { operation: "read_tool_result", toolCallId: resultId, offset: 3, length: 4 },
      };
      const turns = calling(
        reads(resultId, { length: 32_768 }),
        alias,
        reads(`${resultId.slice(0, -1)}z`),
        reads("res_none"),
      );
      await play(stage, [turns, saying("done")], { conversationId: "kept" });
      const [, piece, part, typo, none] = await outcomesOf(stage.host, "kept");
      const size = codePoints.length;
      const header = `[TOOL_RESULT_CHUNK]\nOffset: 0\nLength: ${size}\nTotal Length: ${size}\nHas More: false\nNext Offset: `;
      expect(piece?.data?.slice(0, header.length)).to.equal(header);
      expect(piece?.data?.endsWith(`\n\n${text}`)).to.equal(true);
      expect(piece?.stored).to.equal(undefined);
      expect(part?.data?.endsWith(`\n\n${codePoints.slice(3, 7).join("")}`)).to.equal(true);
      for (const missed of [typo, none])
        expect(missed).to.include({ success: false, error_code: "not_found" });
      expect(refusalText(typo)).to.include("not found").and.to.include(resultId);
      await play(stage, [calling(reads(resultId)), saying("done")], { conversationId: "a stranger" });
      expect((await outcomesOf(stage.host, "a stranger"))[0]).to.include({
        success: false,
        error_code: "not_found",
      });
    },
  );
});
