import { expect } from "chai";
import { readEvents, type Chunk } from "../../../core/cli/read-events.ts";

const text = `: ping\n\ndata: {"run_id":"run_1"}\n\ndata: {"conversation_id":"ä🙂"}\n\n: ping\n\ndata: [DONE]\n\n`;

async function read(...pieces: readonly Uint8Array[]): Promise<readonly Chunk[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const chunks: Chunk[] = [];
  for await (const chunk of readEvents({ body })) chunks.push(chunk);
  return chunks;
}

describe("reading a chat stream", () => {
  const bytes = new TextEncoder().encode(text);
  const whole = [{ run_id: "run_1" }, { conversation_id: "ä🙂" }];

  it("gives the chunks, without pings and the end", async () => {
    expect(await read(bytes)).to.deep.equal(whole);
  });

  it("does not mind where the stream is cut", async () => {
    for (let at = 1; at < bytes.length; at++)
      expect(await read(bytes.slice(0, at), bytes.slice(at)), `cut at ${at}`).to.deep.equal(whole);
  });
});
