/** One chunk of a chat stream; fields beyond these are there too. */
export interface StreamChunk {
  readonly id?: string;
  readonly choices?: readonly {
    readonly delta: { readonly content?: string; readonly [key: string]: unknown };
    readonly finish_reason: string | null;
  }[];
  readonly event?: { readonly type: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** The `data` lines of a stream of server-sent events, as they come; comments are left out. */
export async function* streamLines(answer: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks.flatMap((block) =>
      block
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice(6)),
    );
  }
}

/** The chunks of a chat stream up to `[DONE]`. */
export async function* streamChunks(answer: Response): AsyncIterable<StreamChunk> {
  for await (const line of streamLines(answer)) if (line !== "[DONE]") yield JSON.parse(line) as StreamChunk;
}

export async function allChunks(answer: Response): Promise<readonly StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of streamChunks(answer)) chunks.push(chunk);
  return chunks;
}

export const contentOf = (chunks: readonly StreamChunk[]): string =>
  chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? "").join("");
