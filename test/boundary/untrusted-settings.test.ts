import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Json, JsonObject, JsonSchema, Properties } from "@pergola/sdk";
import { coreSettings } from "../../core/settings/preferences.ts";
import { root } from "../architecture/tree.ts";
import { openProject } from "../support/pergola.ts";
import { settingsScene } from "../support/settings-scene.ts";

/** What the interface lets the settings file of a folder set that nobody trusts. */
const allowed = [
  "conversations.max_history",
  "default_model",
  "memory.inject_count",
  "memory.inject_threshold",
  "user.language",
  "user.time_zone",
  "workflow.max_iterations",
];
const isAllowed = (key: string): boolean => allowed.includes(key) || key.startsWith("stream.");

const declared: readonly Properties[] = readdirSync(path.join(root, "plugins")).map((id) => {
  const manifest = JSON.parse(readFileSync(path.join(root, "plugins", id, "plugin.json"), "utf8")) as {
    readonly settings?: Properties;
  };
  return manifest.settings ?? {};
});

/** Texts that their own keys accept; another than the default. */
const known: Readonly<Record<string, Json>> = {
  default_model: "embedded/other",
  "user.time_zone": "Europe/Berlin",
  "user.language": "de",
};

/** A value of the right type that is not the default. */
function otherThan(key: string, schema: JsonSchema): Json {
  const { type, default: usual, minimum = 0, enum: choices = [] } = schema;
  const other = choices.find((choice) => choice !== usual);
  if (known[key] !== undefined) return known[key];
  if (other !== undefined) return other as Json;
  if (type === "boolean") return usual !== true;
  if (type === "integer" || type === "number") return usual === minimum ? minimum + 1 : minimum;
  if (type === "array") return ["evil"];
  if (type === "object") return { evil: "x" };
  return "evil";
}

describe("X52 the settings file of a folder that nobody trusts", function () {
  this.timeout(60_000);
  const properties = Object.fromEntries(
    [...declared, coreSettings].flatMap((settings) => Object.entries(settings)),
  );
  const hostile: JsonObject = Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, otherThan(key, schema)]),
  );

  it("X52 sets only what the list has, of every key that there is, and it is said", async () => {
    expect(Object.keys(hostile).length).to.be.greaterThan(100);
    const scene = settingsScene();
    const before = await scene.preferences({ declared });
    const whole = {
      ...hostile,
      plugins: ["./evil"],
      disabled: ["policy-authorization"],
      storage: { type: "evil" },
    };
    const file = scene.write("pergola.config.json", whole);
    const after = await scene.preferences({ declared });
    const moved = Object.keys(hostile).filter(
      (key) => JSON.stringify(after.get(key)) !== JSON.stringify(before.get(key)),
    );
    expect(moved.filter((key) => !isAllowed(key))).to.deep.equal([]);
    expect(moved, "the attempt was made").to.include.members(allowed);
    const source = await scene.read();
    expect([source.plugins, source.disabled, source.storage]).to.deep.equal([
      undefined,
      [],
      { type: "sqlite" },
    ]);
    const said = after.warnings.join("\n");
    expect(said).to.include(`${file} is not trusted`);
    for (const key of moved) expect(said).to.include(key);
    for (const key of ["auth.loopback", "server.allow_remote", "plugins", "storage", "tools.disabled"])
      expect(said.slice(said.indexOf("ignored"))).to.include(key);
  });

  it("X52 leaves the person's own file in force, and lowers the iterations only", async () => {
    const scene = settingsScene();
    scene.write(path.join(scene.configuration, "pergola.config.json"), {
      "workflow.max_iterations": 20,
      "output.redaction": "strict",
    });
    const limit = async (wanted: number): Promise<number> => {
      scene.write("pergola.config.json", { "workflow.max_iterations": wanted, "output.redaction": "off" });
      const preferences = await scene.preferences({ declared });
      expect(preferences.get("output.redaction")).to.equal("strict");
      return preferences.get<number>("workflow.max_iterations");
    };
    expect([await limit(1000), await limit(20), await limit(5)]).to.deep.equal([20, 20, 5]);
  });

  it("X52 does not raise the iterations above what is stored, nor is it passed by it", async () => {
    const scene = settingsScene();
    scene.write("pergola.config.json", { "workflow.max_iterations": 100 });
    const preferences = await scene.preferences({ declared });
    const store = (value: number): number => {
      preferences.set(preferences.read({ "workflow.max_iterations": value }).changes);
      return preferences.get<number>("workflow.max_iterations");
    };
    expect(preferences.get("workflow.max_iterations")).to.equal(100);
    expect([store(10), store(300), store(60)]).to.deep.equal([10, 100, 60]);
  });

  it("X52 is said by the commands, too", async () => {
    const project = await openProject();
    try {
      writeFileSync(
        path.join(project.folder, "pergola.config.json"),
        JSON.stringify({ "server.allow_remote": true, "user.language": "de" }),
      );
      const done = await project.run(["settings", "get", "server.allow_remote"]);
      expect(done.stdout).to.include("false");
      expect(done.stderr).to.include("is not trusted").and.include("server.allow_remote");
    } finally {
      await project.close();
    }
  });
});
