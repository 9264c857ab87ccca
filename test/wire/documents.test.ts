import { expect } from "chai";
import { sentTurns } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { smallPdf } from "../support/small-pdf.ts";
import { verifies } from "../support/verifies.ts";

interface Answer {
  readonly service_metadata: { readonly warnings: readonly string[] };
}

const question = "What does it say?";
const pdf = smallPdf("The garden is open.").toString("base64");
const dataUrl = (type: string, data: string): string => `data:${type};base64,${data}`;
const pdfUrl = dataUrl("application/pdf", pdf);
const damaged = Buffer.from("%PDF-1.4 and no more").toString("base64");

/** How each format sends a PDF, or another file. */
const formats = {
  chat: {
    route: "/v1/chat/completions",
    part: (url: string) => ({ type: "file", file: { file_data: url, filename: "plan.pdf" } }),
    body: (part: object) => ({
      messages: [{ role: "user", content: [part, { type: "text", text: question }] }],
    }),
  },
  responses: {
    route: "/v1/responses",
    part: (url: string) => ({ type: "input_file", file_data: url, filename: "plan.pdf" }),
    body: (part: object) => ({
      input: [{ role: "user", content: [part, { type: "input_text", text: question }] }],
    }),
  },
  messages: {
    route: "/v1/messages",
    part: (url: string) => {
      const [, media_type = "", data = ""] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
      return { type: "document", title: "plan.pdf", source: { type: "base64", media_type, data } };
    },
    body: (part: object) => ({
      max_tokens: 100,
      messages: [{ role: "user", content: [part, { type: "text", text: question }] }],
    }),
  },
} as const;

describe("documents in requests (C14)", function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  for (const [name, { route, part, body }] of Object.entries(formats)) {
    const ask = async (url: string) => {
      const { status, body: answer } = await stage.host.json<Answer>("POST", route, {
        model: "default",
        ...body(part(url)),
      });
      expect(status, JSON.stringify(answer)).to.equal(200);
      return { turn: sentTurns(stage).at(-1) ?? "", warnings: answer.service_metadata.warnings };
    };

    verifies("documents:read", `C14: ${name}: the text of a PDF is read for the model`, async () => {
      const { turn, warnings } = await ask(pdfUrl);
      expect(turn).to.match(/plan\.pdf[^]*The garden is open\.[^]*What does it say\?/);
      expect(warnings).to.deep.equal([]);
    });

    verifies("documents:read", `C14: ${name}: the text of a text file is read too`, async () => {
      const { turn } = await ask(dataUrl("text/plain", Buffer.from("Größe: 3 m²").toString("base64")));
      expect(turn).to.include("Größe: 3 m²").and.include(question);
    });

    verifies(
      "documents:read",
      `C14: ${name}: one that cannot be read gets a line and a warning`,
      async () => {
        const { turn, warnings } = await ask(dataUrl("application/pdf", damaged));
        expect(turn).to.match(/\(Here was a (file|document) that cannot be read\.\)[^]*What does it say\?/);
        expect(warnings.join()).to.match(/\[0\]\.content\[0\] was left out/);
      },
    );
  }

  verifies("documents:read", "C14: Responses: audio gets a line and a warning, and is not 400", async () => {
    const audio = { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } };
    const { body, route } = formats.responses;
    const { status, body: answer } = await stage.host.json<Answer>("POST", route, {
      model: "default",
      ...body(audio),
    });
    expect([status, answer.service_metadata.warnings.join()]).to.deep.equal([
      200,
      "input[0].content[0] was left out: audio cannot be read here",
    ]);
    expect(sentTurns(stage).at(-1)).to.include("(Here was audio that cannot be read.)");
  });
});
