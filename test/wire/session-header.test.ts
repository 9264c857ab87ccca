import { expect } from "chai";
import { openStage, type Stage } from "../support/host.ts";
import { sentTo } from "../support/lab-stage.ts";
import { chatReply } from "@pergola/sdk/testing";

const tools = [{ type: "function", function: { name: "bash", parameters: { type: "object" } } }];

describe("an agent that names its session in a header", () => {
  let stage: Stage;
  before(async () => void (stage = await openStage(chatReply({ text: "Stones." }))));
  after(() => stage.end());

  let sessions: unknown[] = [];
  beforeEach(() => void (sessions = []));
  const send = async (route: string, body: object): Promise<void> => {
    const headers = { "x-session-id": `ses_${route}` };
    const answer = await stage.host.request("POST", route, { model: "custom/test", ...body }, headers);
    expect(answer.status).to.equal(200);
    sessions.push(answer.headers.get("x-conversation-id"));
  };

  for (const [route, more] of [
    ["/v1/chat/completions", { tools }],
    ["/v1/messages", { max_tokens: 100, tools: [{ name: "bash", input_schema: { type: "object" } }] }],
  ] as const)
    it(`C2: keeps its request for a title apart from its task (${route})`, async () => {
      const title = [
        { role: "user", content: "Generate a title:" },
        { role: "user", content: "Read the stones." },
      ];
      await send(route, { ...more, tools: undefined, messages: title });
      await send(route, { ...more, messages: [{ role: "user", content: "Read the stones." }] });
      const texts = sentTo(stage.provider, -1).map(({ content }) => JSON.stringify(content));
      expect(texts.filter((text) => text.includes("Read the stones."))).to.have.lengthOf(1);
      expect(texts.join()).not.to.include("Generate a title");
      expect(new Set(sessions).size, "one conversation for one session").to.equal(1);
    });
});
