import path from "node:path";
import { expect } from "chai";
import { AppError, type Json } from "@pergola/sdk";
import { coreSettings } from "../../../core/settings/preferences.ts";
import { compile } from "../../../core/schema/validate.ts";
import { failureOf, settingsScene, type SettingsScene } from "../../support/settings-scene.ts";

describe("preferences", () => {
  let scene: SettingsScene;
  /** A file that the user named counts in full. */
  const named = (content: Json | string) => ({ file: scene.write("pergola.config.yaml", content) });
  beforeEach(() => {
    scene = settingsScene();
  });

  it("have a description and a default that fits their own schema", () => {
    const wrong = Object.entries(coreSettings).filter(
      ([, property]) => !property.description || compile(property)(property.default).length > 0,
    );
    expect(wrong.map(([key]) => key)).to.deep.equal([]);
  });

  it("flag beats environment beats file beats default", async () => {
    const key = "workflow.parallel_tools";
    const look = async (options: Parameters<SettingsScene["preferences"]>[0]) => {
      const { value, from } = (await scene.preferences(options)).list().find((one) => one.key === key)!;
      return { value, from };
    };
    const seen = (value: number, from: string) => ({ value, from });
    expect(await look({})).to.deep.equal(seen(4, "default"));
    const file = named({ workflow: { parallel_tools: 6 } });
    expect(await look(file)).to.deep.equal(seen(6, "file"));
    scene.environment["PERGOLA_WORKFLOW_PARALLEL_TOOLS"] = "7";
    expect(await look(file)).to.deep.equal(seen(7, "environment"));
    expect(await look({ ...file, flags: { [key]: "8" } })).to.deep.equal(seen(8, "flag"));
  });

  it("puts stored values in force, and takes them back to the default", async () => {
    const preferences = await scene.preferences();
    const { changes, faults } = preferences.read({ workflow: { parallelTools: 5 }, "log.level": "DEBUG" });
    expect(faults).to.deep.equal([]);
    expect(preferences.get("workflow.parallel_tools")).to.equal(4);
    preferences.set(changes);
    expect(preferences.get("log.level")).to.equal("debug");
    expect(preferences.list().find(({ key }) => key === "workflow.parallel_tools")).to.include({
      value: 5,
      from: "stored",
    });
    preferences.set(preferences.read({ "workflow.parallel_tools": null }).changes);
    expect(preferences.list().find(({ key }) => key === "workflow.parallel_tools")).to.include({
      value: 4,
      from: "default",
    });
  });

  it("reads keys nested, dotted, and in the other case form", async () => {
    const preferences = await scene.preferences(
      named({
        "server.port": 9001,
        server: { maxBodyBytes: 2048 },
        workflow: { max_iterations: 10 },
        log: { level: "DEBUG" },
      }),
    );
    expect(preferences.get("server.port")).to.equal(9001);
    expect(preferences.get("server.max_body_bytes")).to.equal(2048);
    expect(preferences.get("workflow.max_iterations")).to.equal(10);
    expect(preferences.get("log.level")).to.equal("debug");
  });

  it("accepts the older spellings", async () => {
    const preferences = await scene.preferences(
      named({
        tools: { disabledBuiltinTools: ["todo_operations"] },
        serverProxyMode: true,
        apiServerPort: 9001,
        apiServerAllowRemoteAccess: true,
        authorizationExpiryDuration: "1h",
        providerFallbackChains: { "a/b": ["c/d"] },
        workingDirectory: { basePath: "/srv/work" },
      }),
    );
    const keys = [
      "tools.disabled",
      "server.bypass_mode",
      "server.port",
      "server.allow_remote",
      "authorization.grant_duration",
      "providers.fallback_chains",
      "workspace.base_path",
    ];
    expect(keys.map((key) => preferences.get(key))).to.deep.equal([
      ["todo_operations"],
      true,
      9001,
      true,
      "1h",
      { "a/b": ["c/d"] },
      "/srv/work",
    ]);
  });

  it("gathers every fault with file, key and the nearest known key", async () => {
    const { file } = named({
      server: { prot: 1, port: 70_000 },
      log: { level: "loud" },
      runs: { resume: 3 },
      zzz: 1,
    });
    scene.environment["PERGOLA_SERVER_PORT"] = "many";
    const error = await scene
      .preferences({ file, flags: { "workflow.max_iterations": 0 } })
      .catch((reason: unknown) => reason);
    expect(AppError.is(error)).to.equal(true);
    const { message } = error as Error;
    expect(message).to.include(`${file}: server.prot is not a preference. Did you mean "server.port"?`);
    expect(message).to.include(`${file}: server.port must be at most 65535`);
    expect(message).to.include(`${file}: log.level must be one of error, warn, info, debug`);
    expect(message).to.include(`${file}: runs.resume must be`);
    expect(message).to.match(/zzz is not a preference\.$/m);
    expect(message).to.include("PERGOLA_SERVER_PORT must be a whole number");
    expect(message).to.include("the flag for workflow.max_iterations must be at least 1");
  });

  it("checks the parts that choose plugins and storage", async () => {
    const message = await failureOf(
      scene.read(named({ plugins: [1, { use: "x", isolation: "none" }], disabled: "x", storage: {} })),
    );
    for (const part of ["plugins[0]", "plugins[1].isolation", "disabled", "storage.type"])
      expect(message).to.include(part);
  });

  const texts: readonly (readonly [variable: string, text: string, key: string, value: Json])[] = [
    ["PERGOLA_SERVER_ALLOW_REMOTE", "true", "server.allow_remote", true],
    ["PERGOLA_MEMORY_INJECT_THRESHOLD", "0.5", "memory.inject_threshold", 0.5],
    [
      "PERGOLA_SERVER_ALLOWED_HOSTS",
      "a.example, b.example",
      "server.allowed_hosts",
      ["a.example", "b.example"],
    ],
    ["PERGOLA_TOOLS_DISABLED", '["think"]', "tools.disabled", ["think"]],
    ["PERGOLA_TOOLS_DISABLED", "", "tools.disabled", []],
    ["PERGOLA_PROVIDERS_FALLBACK_CHAINS", '{"*":["a/b"]}', "providers.fallback_chains", { "*": ["a/b"] }],
    ["PERGOLA_ENDPOINTS_CHAT_ENABLED", "false", "endpoints.chat.enabled", false],
    ["PERGOLA_USER_NAME", "123", "user.name", "123"],
  ];
  for (const [variable, text, key, value] of texts) {
    it(`reads ${variable}=${text}`, async () => {
      scene.environment[variable] = text;
      expect((await scene.preferences()).get(key)).to.deep.equal(value);
    });
  }

  it("warns of a variable that sets nothing", async () => {
    scene.environment["PERGOLA_SERVER_PROT"] = "1";
    expect((await scene.preferences()).warnings).to.deep.equal([
      'PERGOLA_SERVER_PROT sets nothing. Did you mean "PERGOLA_SERVER_PORT"?',
    ]);
  });

  it("does not warn of a variable that the settings name", async () => {
    scene.environment["PERGOLA_DATABASE_PASSWORD"] = "rose";
    const password = { env: "PERGOLA_DATABASE_PASSWORD" };
    const file = named({ storage: { type: "postgres", password } });
    expect((await scene.preferences(file)).warnings).to.deep.equal([]);
  });

  it("makes paths absolute: from the file's folder, the home and the data directory", async () => {
    const preferences = await scene.preferences({
      ...named({ workspace: { allowed_roots: ["sub", "~/x", "/y"] } }),
      data: path.join(scene.home, "data"),
    });
    expect(preferences.get("workspace.allowed_roots")).to.deep.equal([
      path.join(scene.project, "sub"),
      path.join(scene.home, "x"),
      "/y",
    ]);
    expect(preferences.get("workspace.base_path")).to.equal(path.join(scene.home, "data", "workspaces"));
  });

  it("has a value for every endpoint group, also of outside plugins, and for no other unknown key", async () => {
    const preferences = await scene.preferences();
    expect(preferences.get("endpoints.weather.enabled")).to.equal(true);
    expect(() => preferences.get("server.prot")).to.throw(
      /There is no preference "server.prot". Did you mean "server.port"\?/,
    );
  });

  it("knows the keys that plugins declare, and lets none redefine the host's", async () => {
    const weather = {
      "tools.weather.units": { type: "string", enum: ["C", "F"], default: "C", description: "x" },
      "server.port": { default: 1 },
    } as const;
    const preferences = await scene.preferences({
      ...named({ tools: { weather: { units: "f" } } }),
      declared: [weather],
    });
    expect(preferences.get("tools.weather.units")).to.equal("F");
    expect(preferences.get("server.port")).to.equal(8080);
    expect(
      await failureOf(
        scene.preferences({ ...named({ tools: { weather: { unit: "f" } } }), declared: [weather] }),
      ),
    ).to.include('Did you mean "tools.weather.units"?');
  });

  it("says whose schema is faulty, when a plugin's is", async () => {
    const declared = [
      { "tools.x.y": { type: "string", pattern: "(", default: "", description: "x" } },
    ] as const;
    expect(
      await failureOf(scene.preferences({ ...named({ tools: { x: { y: "z" } } }), declared })),
    ).to.include("tools.x.y: its own schema is faulty");
  });

  it("reads a plugin's settings beside its name", async () => {
    const declared = [{ "tools.weather.units": { type: "string", default: "C", description: "x" } }] as const;
    const preferences = await scene.preferences({
      ...named({ plugins: [{ use: "x", settings: { tools: { weather: { units: "K" } } } }] }),
      declared,
    });
    expect(preferences.get("tools.weather.units")).to.equal("K");
  });

  it("only warns of an unknown key while a plugin is left out: it may have been that plugin's", async () => {
    const preferences = await scene.preferences({ ...named({ tools: { gone: { x: 1 } } }), lenient: true });
    expect(preferences.warnings.join()).to.include("tools.gone.x is not a preference");
  });

  it("says of values to be stored what is wrong with each, and what is secret among them", async () => {
    const preferences = await scene.preferences();
    const { faults, secrets } = preferences.read({
      "log.level": "loud",
      "server.port": 70_000,
      "user.nam": "Ada",
      "workspace.base_path": "here",
      "auth.token": "t-secret",
      "server.bypass_mode": null,
    });
    expect(faults.map(({ key, code }) => `${key}: ${code}`)).to.have.members([
      "user.nam: unknown_preference",
      "log.level: invalid_value",
      "server.port: out_of_range",
      "workspace.base_path: invalid_value",
      "auth.token: invalid_value",
    ]);
    expect(faults.map(({ message }) => message)).to.include(
      'There is no preference "user.nam". Did you mean "user.name"?',
    );
    expect(secrets).to.deep.equal(["t-secret"]);
    expect(JSON.stringify(faults)).to.not.include("t-secret");
  });
});
