import { expect } from "chai";
import { openDoorStage } from "../boundary/door-scene.ts";
import { freePort } from "./pergola.ts";

/** An answer, or a line of one. */
export interface Line {
  readonly message?: { readonly content: string; readonly tool_calls?: readonly object[] };
  readonly done?: boolean;
  readonly error?: string;
  readonly [key: string]: unknown;
}

/** A host with the door for clients of Ollama, on a port of its own. */
export async function openOllamaStage() {
  const port = await freePort();
  const stage = await openDoorStage({ settings: { "server.ollama_port": port } });
  const at = (path: string): string => `http://127.0.0.1:${port}${path}`;
  /** As programs send it: with any type, or none. */
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(at(path), {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return {
    ...stage,
    port,
    at,
    post,
    linesOf: async (path: string, body: unknown): Promise<readonly Line[]> => {
      const answer = await post(path, body);
      expect(answer.headers.get("content-type")).to.equal("application/x-ndjson");
      return (await answer.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line);
    },
    /** How many conversations are kept. */
    stored: async (): Promise<number> =>
      (await stage.host.json<{ count: number }>("GET", "/v1/conversations")).body.count,
  };
}

export type OllamaStage = Awaited<ReturnType<typeof openOllamaStage>>;
