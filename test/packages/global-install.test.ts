import { execFile, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { tinyModel } from "../../plugins/provider-local-llama/test/tiny-model.ts";
import { root } from "../architecture/tree.ts";
import { copyCompiled } from "../support/alone/project.ts";
import { hasRegistry, npmSettings, publishAll, roomOf } from "../support/global-install.ts";
import type { NpmRegistry } from "../support/npm-registry.ts";
import { manifestOf } from "../support/packed.ts";
import { freePort, watchProgram, type Program } from "../support/pergola.ts";

/** The room that may be taken by all that a default installation has, in MB. */
const most = 45;

/**
 * What a person types who has neither a clone nor anything of Pergola: the packages are published to a
 * registry on loopback, which sends npm to the real one for all others.
 */
describe("pergola, installed from a registry", function () {
  this.timeout(600_000);
  const [prefix, home, folder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const data = path.join(home, "data");
  const env = {
    PATH: `${path.join(prefix, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    PERGOLA_DATA: data,
    NO_COLOR: "1",
  };
  const npm = npmSettings(path.join(home, "npm"));
  let registry: NpmRegistry;
  let service: Program | undefined;
  let url = "";

  before(async function () {
    if (!hasRegistry()) return this.skip();
    registry = await publishAll();
  });
  after(async () => {
    await service?.end("SIGKILL");
    await registry?.close();
  });

  const said = async (program: string, words: readonly string[], cwd = folder, more = {}): Promise<string> =>
    (await promisify(execFile)(program, words, { cwd, env: { ...env, ...more } })).stdout;
  /** What a program of npm says in an empty folder; `below` is where it keeps what is for all folders. */
  const npmSaid = (command: string, below: string): Promise<string> => {
    const [program = "", ...words] = command.split(" ");
    const where = { npm_config_prefix: below, npm_config_registry: registry.url };
    return said(program, words, temporaryFolder(), { ...process.env, ...env, ...npm, ...where });
  };
  const begin = async (): Promise<void> => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = watchProgram(spawn("pergola", ["start", "--port", String(port)], { cwd: folder, env }));
    await service.wrote("stop with Ctrl-C");
  };
  const end = async (): Promise<void> => {
    expect(await service?.end("SIGTERM")).to.equal(0);
  };
  const chat = async (model: string, more = {}): Promise<string> => {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "What can you do?" }], ...more }),
    });
    const body = (await answer.json()) as {
      readonly choices?: readonly { readonly message: { readonly content: string } }[];
      readonly error?: { readonly message: string };
    };
    return body.choices?.[0]?.message.content ?? body.error?.message ?? "";
  };

  it("is a command for every folder, of one package with all that it needs", async () => {
    await npmSaid("npm install --global pergola", prefix);
    copyCompiled(path.join(prefix, "lib", "node_modules", "pergola"));
    expect(await said("pergola", ["--version"])).to.equal(`${manifestOf("pergola").version}\n`);
    expect(await said("pergola", ["init"])).to.include(path.join(home, ".config", "pergola"));
  });

  it(`takes at most ${most} MB`, () => {
    const room = roomOf(prefix);
    process.stdout.write(`      installed: ${room.toFixed(1)} MB\n`);
    expect(room).to.be.below(most);
  });

  it("serves the page and answers, without a key", async () => {
    await begin();
    expect((await fetch(`${url}/health`)).status).to.equal(200);
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).to.deep.equal([200, "text/html; charset=utf-8"]);
    expect(await page.text()).to.include("<script");
    expect(await chat("default")).to.match(/\w/);
    await end();
  });

  it("has every plugin of the standard bundle, and finds nothing wrong", async () => {
    expect(await said("pergola", ["doctor"])).to.not.include("✗");
    const { plugins } = JSON.parse(await said("pergola", ["plugins", "list", "--json"])) as {
      readonly plugins: readonly { readonly id: string; readonly state: string }[];
    };
    const running = plugins.filter(({ state }) => state === "running").map(({ id }) => `@pergola/${id}`);
    expect(running).to.include.members(
      Object.keys(manifestOf("@pergola/bundle-standard").dependencies ?? {}),
    );
  });

  it("says how to get what runs model files, when there is one, and runs it then", async () => {
    mkdirSync(path.join(data, "models"), { recursive: true });
    const model = tinyModel({ chain: { "<0x0A>": "H", H: "i", i: "</s>" } });
    writeFileSync(path.join(data, "models", "tiny.gguf"), model);
    await begin();
    expect(await chat("llama/tiny")).to.include("`pergola extras add model-files`");
    const { stdout } = await promisify(execFile)("pergola", ["doctor"], { cwd: folder, env }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).to.match(/✗ Provider llama: .*pergola extras add model-files/);
    await end();
    // As npm does with a folder; from a registry it would fetch the builds for graphics cards.
    const modules = path.join(prefix, "lib", "node_modules");
    symlinkSync(path.join(root, "node_modules", "node-llama-cpp"), path.join(modules, "node-llama-cpp"));
    await begin();
    // A tool of the caller takes the place of the built-in ones, for which the model's context is too small.
    const tools = [{ type: "function", function: { name: "wave", parameters: { type: "object" } } }];
    expect(await chat("llama/tiny", { tools })).to.equal("Hi");
    await end();
  });

  it("says which extra brings a model that is not listed without it", async () => {
    await begin();
    const answer = await fetch(`${url}/v1/embeddings`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ model: "embedded/minilm", input: "Hello" }),
    });
    expect(answer.status).to.equal(404);
    const { error } = (await answer.json()) as { readonly error: { readonly message: string } };
    expect(error.message).to.match(
      /^There is no model "embedded\/minilm"\. .*`pergola extras add embeddings`/,
    );
    await end();
  });

  it("fetches an extra when it is needed, for the service that runs", async () => {
    await begin();
    const call = ["tools", "call", "remote_execution.check_remote", "host=nobody@127.0.0.1", "ssh_port=1"];
    const check = (): Promise<string> =>
      said("pergola", [...call, "--yes", "--json", "--port", new URL(url).port]).catch(
        (error: unknown) => (error as { readonly stdout: string }).stdout,
      );
    expect(await check()).to.include("`pergola extras add ssh`");
    expect(await said("pergola", ["doctor"])).to.match(/Extras: not installed: .*\bssh\b/);
    expect(await npmSaid("pergola extras add ssh --yes", prefix)).to.match(/✓ ssh/);
    expect(await check())
      .to.include("reachable")
      .and.not.include("extras add");
    await end();
  });

  it("runs with npx in an empty folder, where nothing is installed", async () => {
    expect(await npmSaid("npx pergola --version", temporaryFolder())).to.equal(
      `${manifestOf("pergola").version}\n`,
    );
  });
});
