import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Json, JsonObject } from "@pergola/sdk";
import { chatReply } from "@pergola/sdk/testing";
import { openProject, type Program, type Project } from "../support/pergola.ts";

interface Entry {
  readonly nonce: string;
  readonly text: string;
  readonly tag: string;
}

const value = "a-value-that-nobody-may-see-1234567890";

describe("kept secrets", function () {
  this.timeout(120_000);
  let project: Project;
  let file: string;
  let key: string;
  const read = () => JSON.parse(readFileSync(file, "utf8")) as { readonly secrets: Record<string, Entry> };
  const write = (secrets: Record<string, Entry>): void => writeFileSync(file, JSON.stringify({ secrets }));
  const keep = async (name: string, secret = value): Promise<void> => {
    const done = await project.run(["secrets", "set", name], { input: secret });
    expect(done.code, done.stderr).to.equal(0);
  };
  /** One question to the model, with what the settings say. */
  const chat = () => project.run(["run", "Hello"]);
  const sentKeys = (): readonly unknown[] =>
    project.model.requests.map(({ headers }) => headers["authorization"]);
  const provider = (api_key: Json): JsonObject => ({
    "secrets.store": "file",
    "providers.list": [{ type: "custom", base_url: project.model.baseUrl, retry_count: 0, api_key }],
  });

  beforeEach(async () => {
    project = await openProject(chatReply({ text: "Hello." }));
    project.settings(provider({ secret: "model" }));
    file = path.join(project.data, "secrets.json");
    key = path.join(project.environment["XDG_CONFIG_HOME"]!, "pergola", "secret.key");
  });
  afterEach(() => project.close());

  const saidBy = ({ stdout, stderr }: Program): string => stdout + stderr;

  it("are used by their name, and shown by none of the commands", async () => {
    await keep("model");
    const done = await chat();
    expect(done.code, done.stderr).to.equal(0);
    expect(sentKeys()).to.deep.equal([`Bearer ${value}`]);
    const listed = await project.run(["secrets", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).to.deep.equal({ secrets: [{ name: "model", place: "file" }] });
    const settings = await project.run(["settings", "get", "providers.list", "--json"]);
    expect(settings.code, settings.stderr).to.equal(0);
    for (const program of [done, listed, settings]) expect(saidBy(program)).to.not.include(value);
    expect(readFileSync(file, "utf8")).to.not.include(value);
  });

  it("that are missing keep the service from starting, which says how to keep one", async () => {
    const done = await chat();
    expect(done.code).to.not.equal(0);
    expect(done.stderr).to.include("there is no secret model").and.include("pergola secrets set model");
    expect(project.model.requests).to.deep.equal([]);
  });

  it("of the environment are moved, and work when the variable is gone", async () => {
    project.settings(provider({ env: "MODEL_KEY" }));
    const profile = path.join(project.environment["HOME"]!, ".profile");
    writeFileSync(profile, `# mine\nexport MODEL_KEY=${value}\n`);
    const environment = { MODEL_KEY: value };
    const moved = await project.run(["secrets", "import-env"], { environment });
    expect(moved.code, moved.stderr).to.equal(0);
    expect(moved.stdout).to.include(`${profile}:2`).and.not.include(value);
    const done = await chat();
    expect(done.code, done.stderr).to.equal(0);
    expect(sentKeys()).to.deep.equal([`Bearer ${value}`]);
    await project.run(["secrets", "remove", "MODEL_KEY"]);
    expect((await chat()).stderr).to.include("MODEL_KEY is not set");
  });

  it("are put into preferences by reference while the service runs", async () => {
    await keep("image");
    project.settings({ "secrets.store": "file" });
    const set = (name: string) =>
      project.run(["settings", "set", "tools.image.api_key", JSON.stringify({ secret: name })]);
    const missing = await set("nobody");
    expect(missing.code).to.not.equal(0);
    expect(saidBy(missing)).to.include("there is no secret nobody");
    const done = await set("image");
    expect(done.code, saidBy(done)).to.equal(0);
    const shown = await project.run(["settings", "get", "tools.image.api_key", "--json"]);
    expect(saidBy(shown)).to.not.include(value);
  });

  it("X75 an entry under another name, with a flipped bit, or of another installation does not open", async () => {
    await keep("model");
    await keep("other", "another-value-entirely-0987654321");
    const { secrets } = read();
    const flip = (text: string): string => {
      const bytes = Buffer.from(text, "base64");
      bytes[0]! ^= 1;
      return bytes.toString("base64");
    };
    const own = secrets["model"]!;
    const attempts: Readonly<Record<string, () => void>> = {
      "another entry under this name": () => write({ ...secrets, model: secrets["other"]! }),
      "a flipped bit of the text": () => write({ ...secrets, model: { ...own, text: flip(own.text) } }),
      "a flipped bit of the nonce": () => write({ ...secrets, model: { ...own, nonce: flip(own.nonce) } }),
      "a flipped bit of the tag": () => write({ ...secrets, model: { ...own, tag: flip(own.tag) } }),
      "a tag cut to four bytes": () => write({ ...secrets, model: { ...own, tag: own.tag.slice(0, 6) } }),
      "the key of another installation": () => {
        write(secrets);
        mkdirSync(path.dirname(key), { recursive: true });
        writeFileSync(key, Buffer.alloc(32, 9).toString("base64"), { mode: 0o600 });
      },
      "no key at all": () => rmSync(key),
    };
    for (const [attempt, make] of Object.entries(attempts)) {
      make();
      const done = await chat();
      expect(done.code, attempt).to.not.equal(0);
      expect(saidBy(done), attempt).to.match(/secret model cannot be read|key of the stored secrets/);
      expect(saidBy(done), attempt).to.not.include(value).and.not.include("another-value");
    }
    expect(sentKeys(), "no key was sent anywhere").to.deep.equal([]);
    expect(existsSync(file)).to.equal(true);
  });
});
