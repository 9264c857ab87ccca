import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { openOtherComputer, type OtherComputer } from "./support/namespace.ts";

/** What a client of the other computer does, as code: `ask` gives status and text. */
const client = (base: string, token: string): string => `
  const base = ${JSON.stringify(base)};
  const bearer = { authorization: "Bearer ${token}" };
  const ask = async (path, { body, headers = bearer, method } = {}) => {
    const answer = await fetch(base + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
  };
  const tell = (value) => process.stdout.write(JSON.stringify(value));
`;

interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe("from another computer", function () {
  this.timeout(120_000);
  let other: OtherComputer;
  let project: Project;
  let base: string;
  let token: string;
  const file = (): string => path.join(project.data, "first-token");
  const act = async <T = Told>(code: string, credential = token): Promise<T> =>
    JSON.parse(await other.run(client(base, credential) + code)) as T;

  before(async function () {
    if (process.platform !== "linux" || process.getuid?.() !== 0) this.skip();
    other = openOtherComputer(this);
    project = await openProject();
    const port = await freePort();
    base = `http://${other.here}:${port}`;
    project.settings({ server: { allow_remote: true, allow_plain_http: true } });
    const service = project.begin(["start", "--port", String(port)]);
    await service.wrote("stop with Ctrl-C");
    expect(service.stdout).to.include(base);
    token = readFileSync(file(), "utf8").trim();
    expect(service.stdout + service.stderr)
      .to.include("first-token")
      .and.match(/The token is valid until \d{4}-\d\d-\d\d/)
      .and.not.include(token);
  });
  after(async () => {
    await project?.close();
    other?.remove();
  });

  it("the first start left a token in a private file, without a terminal", () => {
    expect(token).to.match(/^[\da-f-]{73}$/);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
  });

  it("who has no token is refused, and after ten tries told to wait; a neighbour with one gets in", async () => {
    const tries = await act<readonly Told[]>(`
      const answers = [];
      for (let turn = 0; turn < 14; turn += 1)
        answers.push(await ask("/api/models", { headers: { authorization: "Bearer wrong" + turn } }));
      tell(answers);`);
    const statuses = tries.map(({ status }) => status);
    expect(statuses.slice(0, 10)).to.deep.equal(Array.from({ length: 10 }, () => 401));
    expect(new Set(statuses.slice(11))).to.deep.equal(new Set([429]));
    expect(Number(tries.at(-1)?.headers["retry-after"])).to.be.within(1, 60);
    expect((await act(`tell(await ask("/api/models"));`)).status).to.equal(200);
  });

  it("a client with the token streams a chat, is asked, and approves", async () => {
    const marker = path.join(project.folder, "approved.txt");
    const call = {
      name: "file_operations",
      arguments: { operation: "create_file", filePath: marker, content: "by the phone" },
    };
    project.model.play([chatReply({ toolCalls: [call] }), chatReply({ text: "It is written." })]);
    const { stream, answered, models } = await act<Record<string, Told>>(`
      const models = await ask("/api/models");
      const body = { model: "custom/test", messages: [{ role: "user", content: "Write it." }], stream: true };
      const streaming = ask("/api/chat/completions", { body });
      const pending = async () => {
        for (;;) {
          const { status, text } = await ask("/api/approvals?status=pending");
          if (status !== 200) throw new Error(text);
          const [first] = JSON.parse(text).approvals;
          if (first !== undefined) return first.id;
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      };
      const early = streaming.then(({ text }) => { throw new Error("The run asked nothing: " + text); });
      const id = await Promise.race([pending(), early]);
      early.catch(() => undefined);
      const answered = await ask("/api/approvals/" + id, { body: { approved: true } });
      tell({ models, answered, stream: await streaming });`);
    expect([models?.status, answered?.status, stream?.status], answered?.text).to.deep.equal([200, 200, 200]);
    expect(stream?.text)
      .to.include("It is written.")
      .and.match(/data: \[DONE\]\s*$/);
    expect(readFileSync(marker, "utf8")).to.equal("by the phone");
  });

  it("the first token administers nothing; forwarding headers change nothing", async () => {
    const doctor = await act(`tell(await ask("/api/tokens"));`);
    expect(doctor.status).to.equal(403);
    const spoofed = await act(`
      tell(await ask("/api/models", { headers: { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" } }));`);
    expect(spoofed.status).to.be.oneOf([401, 429]);
  });

  it("the file of the first token goes once it was used", async function () {
    this.timeout(150_000);
    while (existsSync(file())) await new Promise((resolve) => setTimeout(resolve, 1000));
  });

  it("the command line talks to it from there, with the token", async () => {
    const main = path.join(import.meta.dirname, "../../core/dist/main.cjs");
    const output = await other.run(`
      import { execFileSync } from "node:child_process";
      const words = [${JSON.stringify(main)}, "models", "list", "--url", ${JSON.stringify(base)}, "--plain-http"];
      const env = { PERGOLA_AUTH_TOKEN: ${JSON.stringify(token)}, HOME: ${JSON.stringify(project.folder)} };
      process.stdout.write(execFileSync(process.execPath, words, { env }));`);
    expect(output).to.include("custom/test");
  });
});
