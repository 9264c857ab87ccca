import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { toolFile as tool, ToolFilesScene } from "../support/tool-files-scene.ts";

describe("tools in single files that are left out", function () {
  this.timeout(60_000);
  let files: ToolFilesScene;
  beforeEach(() => {
    files = new ToolFilesScene();
  });
  afterEach(() => files.end());

  const broken: Readonly<Record<string, readonly [file: string, text: string, said: RegExp]>> = {
    "is no TypeScript": ["bad.ts", "const x: = 3;\nexport default {};\n", /bad\.ts, line 1: Unexpected/],
    "needs more than its types taken out": [
      "bad.ts",
      "\n\nenum A { x }\nexport default {};\n",
      /bad\.ts, line 3: .*enum/,
    ],
    "is no JavaScript": ["bad.js", "export default {\n  run( {\n};\n", /bad\.js, line [23]: /],
    "throws when it is read": [
      "bad.ts",
      "interface A { x: string }\n\nthrow new Error('oh no');\n",
      /bad\.ts, line 3: oh no/,
    ],
    "exports nothing": ["bad.js", "const a = 1;\n", /bad\.js, it has no default export/],
    "misspells a field": [
      "bad.js",
      `\n${tool("return { data: 1 };").replace("effect:", "efect:")}`,
      /bad\.js, line 2: it has a field "efect" that nobody reads\. Did you mean "?effect"?/,
    ],
    "names an effect that is none": [
      "bad.js",
      tool("return { data: 1 };", 'effect: "reads",'),
      /bad\.js, line 1: bad\.run\.effect must be one of/,
    ],
    "asks for a permission that is none": [
      "bad.js",
      tool("return { data: 1 };", 'permissions: { files: "all" },'),
      /bad\.js, .*permissions.*files/,
    ],
    "takes a package": ["bad.js", 'import x from "lodash";\nexport default x;\n', /bad\.js, .*lodash/],
    "ends its process": ["bad.js", "process.exit(3);\n", /bad\.js, .*exit code 3/],
  };
  for (const [what, [file, text, said]] of Object.entries(broken))
    it(`TF5 a file that ${what} is left out, with its place and a remedy, and takes nothing along`, async () => {
      files.write(files.own, { [file]: text, "good.js": tool("return { data: 1 };") });
      await files.open();
      const { state, fault } = files.statusOf("file-bad");
      expect(state).to.equal("left out");
      expect(fault).to.match(said);
      expect(fault).to.include(`Correct ${file}, or take it out of ${files.own}`);
      expect(files.statusOf("file-good").state).to.equal("running");
      const others = files.stage.host.services.system.plugins().filter(({ id }) => id !== "file-bad");
      expect(others.filter((plugin) => plugin.state === "left out")).to.deep.equal([]);
    });

  it("TF6 a name that is taken, or is none, is left out and says so", async () => {
    files.write(files.own, {
      "weather_operations.js": tool("return { data: 1 };"),
      "Roll-Dice.js": tool("return { data: 1 };"),
      "twin.js": tool("return { data: 'js' };"),
      "twin.ts": tool("return { data: 'ts' };"),
      "twin.test.ts": "throw new Error('no tool');",
    });
    await files.open();
    expect(files.statusOf("file-weather-operations").fault).to.include(
      "already provided by tool-weather-operations",
    );
    expect(files.statusOf("file-weather-operations").fault).to.include("Rename ");
    expect(files.statusOf("file-Roll-Dice").fault).to.include("Rename it, as in roll_dice.js.");
    expect(files.statusOf("file-twin").state).to.equal("running");
    expect(await files.call("twin")).to.include({ data: "js" });
    const twin = files.stage.host.services.system.plugins().find(({ id }) => id === "twin.ts")!;
    expect(twin.fault).to.include("there is another tool of this name").and.include("twin.js");
    const weather = files.stage.host.services.system
      .plugins()
      .find(({ id }) => id === "tool-weather-operations")!;
    expect(weather.state).to.equal("running");
  });

  it("TF8 X52 X69 nothing of a folder is read that nobody trusts, and it is said", async () => {
    files.write(files.folder, { "word.js": tool("return { data: 1 };") });
    // Who reads this waits for ever.
    execFileSync("mkfifo", [path.join(files.folder, "trap.js")]);
    await files.open();
    expect(files.plugins()).to.deep.equal([]);
    const warning = files.log.lines
      .map(({ message }) => message)
      .find((text) => text.includes("are not used"));
    expect(warning)
      .to.include(".pergola/tools/trap.js, .pergola/tools/word.js")
      .and.include("pergola trust ");
    expect(existsSync(path.join(files.home, "plugins", ".files"))).to.equal(false);
  });

  it("TF9 what is wrong with a folder's file is no fault of the person's own of that name", async () => {
    files.write(files.folder, { "word.js": tool("return { data: 'folder' };") });
    await files.trust();
    files.write(files.folder, { "word.js": tool("return { data: 'odd' };") });
    files.write(files.own, { "word.js": tool("return { data: 'own' };") });
    await files.open();
    expect(await files.call("word")).to.include({ data: "own" });
  });
});
