import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  allChunks,
  chatReply,
  contentOf,
  streamChunks,
  temporaryFolder,
  type ScriptedCall,
} from "@pergola/sdk/testing";
import { needsSandbox } from "../boundary/support/program-stage.ts";
import { processes, withDescendants } from "../../sdk/testing/conformance/plugin-process.ts";
import { root } from "../architecture/tree.ts";
import { tarballOf } from "../support/packed.ts";
import { approvePlugins } from "../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../support/pergola.ts";

interface Called {
  readonly success: boolean;
  readonly result: string;
}

const npm = (cwd: string, ...args: readonly string[]): void =>
  void execFileSync("npm", [...args, "--offline", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd,
    stdio: "pipe",
  });

/**
 * A plugin of somebody else, packed and installed from its tarball into a project; the host lives elsewhere,
 * built.
 */
describe("an installed third-party plugin", function () {
  this.timeout(120_000);
  const packs = temporaryFolder("pergola-packs-");
  let project: Project;
  let service: ReturnType<Project["begin"]>;
  let url: string;

  before(async () => {
    project = await openProject();
    npm(path.join(root, "examples", "tool-hello"), "run", "build");
    npm(path.join(root, "examples", "tool-hello"), "pack", "--pack-destination", packs);
    writeFileSync(
      path.join(project.folder, "package.json"),
      JSON.stringify({ name: "somebodys-project", private: true }),
    );
    npm(
      project.folder,
      "install",
      tarballOf("@pergola/sdk"),
      path.join(packs, "pergola-tool-hello-1.0.0.tgz"),
    );
    mkdirSync(path.join(project.folder, "work"));
    writeFileSync(path.join(project.folder, "work", "guests.txt"), "Ada\nGrace\n");
  });
  after(() => project.close());

  /** Settings stand in the project, which is where its `node_modules` are found from. */
  const serve = async (
    entry: string | { readonly use: string; readonly isolation: string },
  ): Promise<void> => {
    const file = path.join(project.folder, "settings.json");
    const settings = project.settings({ plugins: ["@pergola/bundle-standard", entry] });
    execFileSync("cp", [settings, file]);
    await approvePlugins(project.data, path.join(project.folder, "node_modules", "pergola-tool-hello"));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = project.begin(["start", "--settings", file, "--data", project.data, "--port", String(port)], {
      bare: true,
    });
    await service.wrote("stop with Ctrl-C");
  };
  const post = async (route: string, body: object): Promise<Response> =>
    fetch(url + route, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const call = async (tool: string, args: object): Promise<Called> => {
    const body = { tool, arguments: args, workingDirectory: path.join(project.folder, "work") };
    return (await (await post("/debug/mcp/execute", body)).json()) as Called;
  };
  const chat = async (tool: string, args: ScriptedCall["arguments"]): Promise<Response> => {
    project.model.play([
      chatReply({ toolCalls: [{ name: tool, arguments: args }] }),
      chatReply({ text: "Done." }),
    ]);
    return post("/api/chat/completions", {
      model: "default",
      stream: true,
      messages: [{ role: "user", content: "Greet Ada." }],
    });
  };
  const answerOfTool = async (): Promise<string> => {
    const { body } = project.model.requests.at(-1) ?? {};
    return (
      (body as { readonly messages: readonly { readonly content: string }[] }).messages.at(-1)?.content ?? ""
    );
  };
  /** The innermost one: the walls' own processes, around it, name its program too. */
  const pluginProcess = async (): Promise<number | undefined> =>
    withDescendants(await processes(), service.child.pid!).findLast(({ line }) =>
      line.includes("isolated.process"),
    )?.pid;

  for (const isolation of ["process", "trusted"] as const)
    describe(
      isolation === "process" ? "in a process of its own, as it is by default" : "with isolation: trusted",
      () => {
        before(async function () {
          await serve(
            isolation === "process" ? "pergola-tool-hello" : { use: "pergola-tool-hello", isolation },
          );
          if (isolation === "process") needsSandbox.call(this);
        });
        after(() => service.end());

        it("answers calls by hand: settings, files and records", async () => {
          expect(await call("hello.greet", { name: "Ada" })).to.include({
            success: true,
            result: "Hello, Ada!",
          });
          expect((await call("hello.greet_file", { path: "guests.txt" })).result).to.equal(
            `["Hello, Ada!","Hello, Grace!"]`,
          );
          expect(await call("hello.remember_guest", { name: isolation })).to.include({ success: true });
          expect((await call("hello.remember_guest", { name: isolation })).result).to.include(`"visits":2`);
        });

        it("hands its own error to the model, with the hint", async () => {
          const answer = await chat("hello", { operation: "greet", name: "  " });
          expect(contentOf(await allChunks(answer))).to.equal("Done.");
          expect(await answerOfTool())
            .to.include("The name is blank.")
            .and.include("Give the name of a person.");
        });

        it("answers the calls of a model", async () => {
          await allChunks(await chat("hello", { operation: "greet", name: "Ada" }));
          expect(await answerOfTool()).to.include("Hello, Ada!");
        });

        if (isolation === "trusted") {
          it("runs in the host's process", async () => {
            await call("hello.greet", { name: "Ada" });
            expect(await pluginProcess()).to.equal(undefined);
          });
          return;
        }

        it("is killed in the middle of a call: the call fails, the run and the host go on, the next call works", async () => {
          await call("hello.greet", { name: "Ada" });
          const pid = (await pluginProcess())!;
          process.kill(pid, "SIGSTOP");
          const statuses: unknown[] = [];
          for await (const chunk of streamChunks(await chat("hello", { operation: "greet", name: "Ada" }))) {
            statuses.push(chunk["toolStatus"]);
            if (chunk["toolStatus"] === "running") process.kill(pid, "SIGKILL");
          }
          expect(statuses.filter(Boolean)).to.deep.equal(["running", "error"]);
          expect(await answerOfTool()).to.include("The plugin pergola-tool-hello ended while it worked");
          expect(await call("hello.greet", { name: "Ada" })).to.include({
            success: true,
            result: "Hello, Ada!",
          });
          expect(await pluginProcess()).to.not.equal(pid);
        });
      },
    );
});
