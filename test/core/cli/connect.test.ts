import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { freePort, openProject, type Begin, type Project } from "../../support/pergola.ts";

interface Listed {
  readonly clients: readonly { readonly name: string; readonly found: string | null }[];
}

/** The modes of files bind the superuser, too, who has none of its capabilities. */
const asPerson: Begin =
  process.getuid?.() === 0 ? { through: ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] } : {};

describe("pergola connect", function () {
  this.timeout(30_000);
  let project: Project;
  let home: string;
  before(async () => {
    project = await openProject();
    home = project.environment["HOME"] ?? "";
  });
  after(() => project.close());
  const file = (...names: readonly string[]): string => {
    const full = path.join(home, ...names);
    mkdirSync(path.dirname(full), { recursive: true });
    return full;
  };

  it("lists the clients, and says which are on this computer", async () => {
    mkdirSync(file(".codex"));
    const { code, stdout } = await project.run(["connect", "--json"]);
    const { clients } = JSON.parse(stdout) as Listed;
    expect(code).to.equal(0);
    expect(clients.find(({ name }) => name === "codex")?.found).to.equal(file(".codex"));
    expect(clients.find(({ name }) => name === "continue")?.found).to.equal(null);
  });

  it("prints the settings alone on stdout, by what the settings file says while none runs", async () => {
    project.settings({ "server.port": 8123 });
    const { code, stdout, stderr } = await project.run(["connect", "vscode"]);
    const [group] = JSON.parse(stdout) as { vendor: string; models: { id: string; url: string }[] }[];
    expect([code, group?.vendor]).to.deep.equal([0, "customendpoint"]);
    expect(group?.models[0]?.url).to.equal("http://127.0.0.1:8123/v1/chat/completions");
    expect(stderr).to.include(file("config", "Code", "User", "chatLanguageModels.json"));
    expect((await project.run(["connect", "codex", "--model", "a/b"])).stdout).to.include('model = "a/b"');
  });

  it("names the service that runs and its model, and where a token is wanted", async () => {
    const port = String(await freePort());
    project.settings({ "auth.loopback": "token" });
    const service = project.begin(["start", "--port", port]);
    await service.wrote("stop with Ctrl-C");
    const { stdout, stderr } = await project.run(["connect", "codex"]);
    expect(stdout)
      .to.include(`base_url = "http://127.0.0.1:${port}/v1"`)
      .and.include('model = "custom/test"');
    expect(stdout).to.include('env_key = "PERGOLA_AUTH_TOKEN"');
    expect(stderr).to.include("pergola tokens add codex");
    await service.end();
    project.settings();
  });

  it("names every model of the service that runs, with its limits, the default first", async () => {
    const custom = {
      supportsTools: true,
      supportsVision: true,
      contextWindow: 20_000,
      maxOutputTokens: 3000,
    };
    project.settings({ "models.overrides": { "custom/test": custom } });
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    const told = async (...words: readonly string[]) => {
      const { stdout } = await project.run(["connect", "vscode", ...words]);
      const [group] = JSON.parse(stdout) as [{ models: { id: string }[] }];
      return group.models;
    };
    const models = await told();
    expect(models.map(({ id }) => id)).to.deep.equal(["custom/test", "embedded/guide"]);
    expect(models[0]).to.include({ toolCalling: true, vision: true });
    expect(models[0]).to.include({ maxInputTokens: 17_000, maxOutputTokens: 3000 });
    const others = await told("--model", "embedded/guide");
    expect(others.map(({ id }) => id)).to.deep.equal(["embedded/guide", "custom/test"]);
    await service.end();
    project.settings();
    const other = project.begin(["start", "--port", String(await freePort())]);
    await other.wrote("stop with Ctrl-C");
    const { stdout } = await project.run(["connect", "opencode"]);
    const { provider } = JSON.parse(stdout) as { provider: { pergola: { models: object } } };
    expect(provider.pergola.models).to.deep.include({ "custom/test": { name: "custom/test" } });
    await other.end();
    project.settings();
  });

  it("writes into what is there, keeps a copy and the mode, follows a link, and does so once", async () => {
    const [real, named] = [file("dotfiles", "zed.json"), file("config", "zed", "settings.json")];
    writeFileSync(real, '// mine\n{ "theme": "One" }\n');
    chmodSync(real, 0o640);
    symlinkSync(real, named);
    const first = await project.run(["connect", "zed", "--write", "--yes"]);
    expect(first.code).to.equal(0);
    expect(first.stderr).to.include(`a link to ${real}`).and.include("+ ");
    const text = readFileSync(real, "utf8");
    expect(text).to.include("// mine").and.include('"theme": "One"').and.include('"acp"');
    expect(statSync(real).mode & 0o777).to.equal(0o640);
    expect(readFileSync(`${real}.before-pergola`, "utf8")).to.equal('// mine\n{ "theme": "One" }\n');
    const again = await project.run(["connect", "zed", "--write", "--yes"]);
    expect([again.code, again.stderr.includes("already")]).to.deep.equal([0, true]);
    expect(readdirSync(path.dirname(real))).to.have.lengthOf(2);
  });

  it("makes a file that is not there, private, and changes none that it cannot read", async () => {
    const config = file(".codex", "config.toml");
    expect((await project.run(["connect", "codex", "--write", "--yes"])).code).to.equal(0);
    expect(readFileSync(config, "utf8")).to.include("[model_providers.pergola]");
    expect(statSync(config).mode & 0o777).to.equal(0o600);
    writeFileSync(config, '# Mine\nmodel = "gpt-5" # fast\n');
    expect((await project.run(["connect", "codex", "--write", "--yes"])).code).to.equal(0);
    expect(readFileSync(config, "utf8"))
      .to.match(/^# Mine\nmodel = "[^"]+" # fast\nmodel_provider = "pergola"\n/)
      .and.include("[model_providers.pergola]");
    const mine = 'model = "gpt-5\n';
    writeFileSync(config, mine);
    const { code, stdout, stderr } = await project.run(["connect", "codex", "--write", "--yes"]);
    expect([code, readFileSync(config, "utf8")]).to.deep.equal([1, mine]);
    expect(stdout).to.include("[model_providers.pergola]");
    expect(stderr).to.include("add the settings yourself");
  });

  it("says of a file with faults where they are, and of a folder that it may not write in it", async () => {
    const faulty = file("config", "opencode", "opencode.json");
    writeFileSync(faulty, '{\n  "theme": "dark"\n  "model": "x"\n}\n');
    const unread = await project.run(["connect", "opencode", "--write", "--yes"]);
    expect([unread.code, unread.stderr.includes("as JSON, from line 3 on: mend it")]).to.deep.equal([
      1,
      true,
    ]);
    const closed = path.dirname(file("config", "Code", "User", "chatLanguageModels.json"));
    chmodSync(closed, 0o500);
    const refused = await project.run(["connect", "vscode", "--write", "--yes"], asPerson);
    chmodSync(closed, 0o000);
    const hidden = await project.run(["connect", "vscode", "--write", "--yes"], asPerson);
    chmodSync(closed, 0o700);
    for (const { code, stderr } of [refused, hidden]) {
      expect([code, stderr.includes(`may not write in ${closed}`)], stderr).to.deep.equal([1, true]);
      expect(stderr).not.to.include("EACCES");
    }
    expect(readdirSync(closed)).to.deep.equal([]);
    const kept = file("config", "Code", "User", "chatLanguageModels.json");
    writeFileSync(kept, "[]");
    chmodSync(kept, 0o000);
    const unreadable = await project.run(["connect", "vscode", "--write", "--yes"], asPerson);
    expect([unreadable.code, unreadable.stderr.includes("must not be read or written")]).to.deep.equal([
      1,
      true,
    ]);
    expect(unreadable.stderr).not.to.include("EACCES");
    chmodSync(kept, 0o600);
    expect(readFileSync(kept, "utf8")).to.equal("[]");
  });

  it("writes into the file that the client reads, and sets aside none", async () => {
    const commented = file("config", "opencode", "opencode.jsonc");
    writeFileSync(commented, '// mine\n{ "theme": "dark" }\n');
    expect((await project.run(["connect", "opencode", "--write", "--yes"])).code).to.equal(0);
    expect(readFileSync(commented, "utf8")).to.include("// mine").and.include("pergola/");
    writeFileSync(file(".continue", "config.json"), '{ "models": [] }\n');
    const older = await project.run(["connect", "continue", "--write", "--yes"]);
    expect([older.code, older.stderr.includes("would no longer once")]).to.deep.equal([1, true]);
    expect(readdirSync(file(".continue"))).to.deep.equal(["config.json"]);
    writeFileSync(file(".continue", "config.yaml"), "name: Mine\n");
    expect((await project.run(["connect", "continue", "--write", "--yes"])).code).to.equal(0);
  });

  it("says that a folder's settings file is not trusted, and which models there are", async () => {
    writeFileSync(path.join(project.folder, "pergola.config.json"), '{ "server.port": 9123 }\n');
    const { stdout, stderr } = await project.run(["connect", "codex", "--data", project.data], {
      bare: true,
    });
    expect(stderr).to.include("pergola.config.json is not trusted").and.include("pergola trust");
    expect(stdout).to.not.include("9123");
    rmSync(path.join(project.folder, "pergola.config.json"));
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    const unlisted = await project.run(["connect", "codex", "--model", "custom/tset"]);
    expect([unlisted.code, unlisted.stdout.includes('model = "custom/tset"')]).to.deep.equal([0, true]);
    expect(unlisted.stderr).to.include('lists the model "custom/tset". Did you mean "custom/test"?');
    const unknown = await project.run(["connect", "codex", "--model", "nobody/tset"]);
    expect([unknown.code, unknown.stdout], unknown.stderr).to.deep.equal([2, ""]);
    const known = await project.run(["connect", "codex", "--model", "custom/test"]);
    expect([known.code, known.stdout.includes('model = "custom/test"')]).to.deep.equal([0, true]);
    expect(known.stderr).to.not.include("lists the model");
    await service.end();
  });

  it("writes nothing where nobody says yes, nor through a link to nowhere, nor for an unknown client", async () => {
    const unasked = await project.run(["connect", "pi", "--write"]);
    expect([unasked.code, unasked.stderr.includes("--yes")]).to.deep.equal([2, true]);
    symlinkSync(path.join(home, "nowhere"), file(".claude", "settings.json"));
    expect((await project.run(["connect", "claude-code", "--write", "--yes"])).code).to.equal(1);
    expect(readdirSync(home)).not.to.include.members(["nowhere", ".pi"]);
    const unknown = await project.run(["connect", "emacs"]);
    expect([unknown.code, unknown.stderr.includes("zed, jetbrains")]).to.deep.equal([2, true]);
  });
});
