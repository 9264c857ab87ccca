import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly stream: boolean };
}

/** Of the beginning of a session, and where in the client's sources it is made. */
interface Fixture {
  readonly sources: readonly { readonly repository: string; readonly file: string }[];
  readonly requests: readonly Recorded[];
}

/** A line of an answer of `/api/chat`, as far as the client reads it. */
interface Line {
  readonly message?: {
    readonly content: string;
    readonly tool_calls?: readonly {
      readonly function: { readonly name: string; readonly arguments: object };
    }[];
  };
  readonly done: boolean;
  readonly eval_count?: number;
}

const file = path.join(import.meta.dirname, "fixtures", "open-webui.json");
const { sources, requests } = JSON.parse(readFileSync(file, "utf8")) as Fixture;

describe("the first ten requests of Open WebUI", () => {
  let stage: Stage;
  before(async () => (stage = await openStage()));
  after(() => stage.end());

  async function send({ method, path: route, headers, body }: Recorded): Promise<string> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(stage.host.url + route, { method, headers, ...sent });
    const text = await answer.text();
    expect(answer.status, `${method} ${route}: ${text}`).to.equal(200);
    return text;
  }
  const read = async <T>(at: number): Promise<T> => JSON.parse(await send(requests[at]!)) as T;
  const chat = async (at: number): Promise<readonly Line[]> => {
    const lines = (await send(requests[at]!)).trim().split("\n");
    expect(lines.length > 1).to.equal(requests[at]!.body?.stream);
    return lines.map((line) => JSON.parse(line) as Line);
  };
  const textOf = (lines: readonly Line[]): string =>
    lines.map(({ message }) => message?.content ?? "").join("");

  it("are ten, from named sources", () => {
    expect(requests).to.have.lengthOf(10);
    expect(sources.map(({ repository }) => repository)).to.deep.equal(Array(3).fill("open-webui/open-webui"));
  });

  it("find the service and its models", async () => {
    expect((await read<{ version: string }>(0)).version).to.match(/^\d+\.\d+\.\d+$/);
    for (const at of [1, 7]) {
      const { models } = await read<{ models: readonly { name: string; model: string }[] }>(at);
      expect(models.find(({ model }) => model === "custom/test")?.name).to.equal("custom/test");
    }
    expect(await read(2)).to.deep.equal({ models: [] });
  });

  it("hold a turn, and have its title, tags and further questions written", async () => {
    stage.provider.play([chatReply({ text: ["A frame ", "for plants."] })]);
    const lines = await chat(3);
    expect(textOf(lines)).to.equal("A frame for plants.");
    expect([lines.at(-1)?.done, typeof lines.at(-1)?.eval_count]).to.deep.equal([true, "number"]);
    for (const at of [4, 5, 6]) {
      stage.provider.play([chatReply({ text: '{ "title": "Pergolas" }' })]);
      expect(textOf(await chat(at))).to.equal('{ "title": "Pergolas" }');
    }
    expect(sentBody(stage, -2)).to.include({ max_tokens: 1000 });
  });

  it("offer a tool, and send what it has said", async () => {
    stage.provider.play([chatReply({ toolCalls: [{ name: "get_current_time", arguments: {} }] })]);
    const calls = (await chat(8)).flatMap(({ message }) => message?.tool_calls ?? []);
    expect(calls.map(({ function: called }) => called)).to.deep.equal([
      { name: "get_current_time", arguments: {} },
    ]);
    expect(sentBody(stage, -1).tools?.map((tool) => tool.function.name)).to.deep.equal(["get_current_time"]);
    stage.provider.play([chatReply({ text: ["It is ", "noon."] })]);
    expect(textOf(await chat(9))).to.equal("It is noon.");
    const [call, answer] = sentBody(stage, -1).messages.slice(-2);
    expect(call?.role).to.equal("assistant");
    expect(answer).to.deep.include({ role: "tool", content: "12:00", tool_call_id: "call_clock" });
  });
});
