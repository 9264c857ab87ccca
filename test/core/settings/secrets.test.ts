import { expect } from "chai";
import { type Json } from "@pergola/sdk";
import { storageIn } from "../../../core/settings/read-settings.ts";
import { failureOf, settingsScene, type SettingsScene } from "../../support/settings-scene.ts";

describe("secrets in the settings", () => {
  let scene: SettingsScene;
  const named = (content: Json) => ({ file: scene.write("pergola.config.json", content) });
  beforeEach(() => {
    scene = settingsScene();
  });

  it("are fetched from the environment and from files, at any depth", async () => {
    scene.environment["KEY"] = "from the environment";
    scene.write("key.txt", "from a file\n");
    const list: Json = [
      { type: "openai", apiKey: { env: "KEY" } },
      {
        type: "custom",
        base_url: "https://x.example",
        customHeaders: { "x-key": { file: "key.txt" }, "x-plain": "y" },
      },
    ];
    const preferences = await scene.preferences(
      named({ providers: { list }, storage: { type: "postgres", password: { env: "KEY" } } }),
    );
    expect(preferences.get("providers.list")).to.deep.equal([
      { type: "openai", api_key: "from the environment" },
      { type: "custom", base_url: "https://x.example", headers: { "x-key": "from a file", "x-plain": "y" } },
    ]);
    expect(preferences.secretValues()).to.have.members(["from the environment", "from a file"]);
    const source = await scene.read(named({ storage: { type: "postgres", password: { env: "KEY" } } }));
    expect(storageIn(source, source.reader)).to.deep.equal({
      type: "postgres",
      password: "from the environment",
    });
  });

  it("are refused in plain text, without repeating them", async () => {
    const token = "t".repeat(40);
    const message = await failureOf(
      scene.preferences(
        named({ auth: { token }, providers: { list: [{ type: "openai", api_key: "sk-plain" }] } }),
      ),
    );
    expect(message).to.include(
      "auth.token is a secret in plain text; keep it with `pergola secrets set NAME` and write " +
        '{ "secret": "NAME" }, or write { "env": "NAME" } or { "file": "path" }',
    );
    expect(message).to.include("providers.list[0].api_key is a secret in plain text");
    expect(message).to.not.include("sk-plain");
    expect(message).to.not.include(token);
  });

  it("that cannot be fetched are faults which name variable or file", async () => {
    const message = await failureOf(
      scene.preferences(
        named({
          auth: { token: { env: "NOT_SET" } },
          providers: { list: [{ type: "openai", api_key: { file: "missing.txt" } }] },
        }),
      ),
    );
    expect(message).to.include("auth.token: the variable NOT_SET is not set");
    expect(message).to.include("missing.txt");
  });

  it("may stand in the environment as they are", async () => {
    scene.environment["PERGOLA_AUTH_TOKEN"] = "t".repeat(40);
    const preferences = await scene.preferences();
    expect(preferences.get("auth.token")).to.equal("t".repeat(40));
    expect(preferences.secretValues()).to.deep.equal(["t".repeat(40)]);
  });

  it("of the environment are known to the scrubber under their customary names", async () => {
    Object.assign(scene.environment, {
      OPENAI_API_KEY: "key-of-openai",
      GH_TOKEN: "short",
      PATH: "/usr/local/bin",
    });
    expect((await scene.preferences()).secretValues()).to.deep.equal(["key-of-openai"]);
  });

  it("too short a token is refused", async () => {
    scene.environment["PERGOLA_AUTH_TOKEN"] = "short";
    const message = await failureOf(scene.preferences());
    expect(message).to.include("PERGOLA_AUTH_TOKEN");
    expect(message).to.not.include('"short"');
  });
});
