import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { read } from "../architecture/tree.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";

const page = read("docs/streams.md");

/** The examples of the page in one language, which name the service by its usual address. */
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map(([, block = ""]) => block);

const call = {
  name: "terminal_operations",
  arguments: { operation: "run_command", command: "echo It is Sunday", explanation: "To see the day" },
};
const isFirst = (body: unknown): boolean =>
  !JSON.stringify((body as { readonly messages: unknown }).messages).includes('"role":"tool"');

describe("the examples of docs/streams.md (O2)", function () {
  this.timeout(120_000);
  let project: Project;
  let url: string;

  before(async () => {
    project = await openProject(({ body }) =>
      isFirst(body) ? chatReply({ toolCalls: [call] }) : chatReply({ text: "It is Sunday." }),
    );
    project.settings({ "tools.disabled": [] });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
  });
  after(() => project.close());

  const here = (text: string): string => text.replaceAll("http://127.0.0.1:8080", url);
  const run = async (program: string, file: string, text: string): Promise<string> => {
    const script = path.join(project.folder, file);
    writeFileSync(script, here(text));
    return (await promisify(execFile)(program, [script])).stdout;
  };

  it("O2: their question makes the built-in guide call a tool", async () => {
    const questions = new Set([...page.matchAll(/"?content"?: "([^"]+)"/g)].map(([, question]) => question));
    expect(questions).to.have.property("size", 1);
    for (const content of questions) {
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: "embedded/guide",
          stream: true,
          messages: [{ role: "user", content }],
        }),
      });
      expect(await answer.text()).to.match(/"isToolMessage":true.*"toolStatus":"success"/);
    }
  });

  it("O2: the one in JavaScript reads the stream and answers the call that waits", async () => {
    const output = await run(process.execPath, "example.mjs", blocksOf("js")[0] ?? "");
    expect(output)
      .to.include("Allowing")
      .and.include("[terminal_operations success]")
      .and.include("It is Sunday.");
  });

  it("O2: the one in Python does the same", async () => {
    const output = await run("python3", "example.py", blocksOf("python")[0] ?? "");
    expect(output)
      .to.include("Allowing")
      .and.include("[terminal_operations success]")
      .and.include("It is Sunday.");
  });

  it("O2: those with curl read the stream, list what waits, and answer it", async () => {
    const [stream = "", list = "", answer = ""] = blocksOf("sh").map(here);
    const reading = spawn("sh", ["-c", stream], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    reading.stdout.setEncoding("utf8").on("data", (piece: string) => void (text += piece));
    const gone = once(reading, "close");
    while (!text.includes("user_input_required"))
      await Promise.race([
        once(reading.stdout, "data"),
        gone.then(() => expect.fail(`It ended early:\n${text}`)),
      ]);
    const listed = await promisify(execFile)("sh", ["-c", list]);
    const { approvals } = JSON.parse(listed.stdout) as {
      readonly approvals: readonly { readonly id: string }[];
    };
    const answered = await promisify(execFile)("sh", [
      "-c",
      answer.replace("call_1", approvals[0]?.id ?? ""),
    ]);
    expect((JSON.parse(answered.stdout) as { readonly decision: string }).decision).to.equal("approved");
    await gone;
    expect(text).to.include("It is Sunday.").and.include("data: [DONE]");
  });
});
