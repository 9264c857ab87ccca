import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { countOf } from "@pergola/sdk";
import { type Cassette, upward } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { printNote, printResult } from "./print-result.ts";
import { addressOf, listHint, titleOf } from "./runs.ts";
import { withHint, type CommonOptions, type Service } from "./service.ts";

interface ExportOptions extends CommonOptions {
  /** The folder; true where none is named. */
  readonly asTest: string | true;
  readonly name?: string;
}

/** The title in the form of a file's name; the end of the run's id where it has no letters for one. */
function nameOf(title: string, runId: string): string {
  const words = title.toLowerCase().match(/[a-z\d]+/g) ?? [];
  const name = words.join("-").slice(0, 40).replace(/-$/, "");
  return name === "" ? `run-${runId.slice(-8)}` : name;
}

/** Throws AppError `invalid_value` for what cannot be a part of a file's name. */
function checkedName(name: string): string {
  if (/^[\w-][\w.-]{0,79}$/.test(name)) return name;
  const rule = "Use letters, digits, hyphens, underscores and dots, at most 80.";
  throw fault("invalid_value", `"${name}" cannot be the name of a test. ${rule}`);
}

interface FoundPlugin {
  readonly folder: string;
  readonly isTool: boolean;
}

/** The plugin in whose package a folder lies. */
function pluginAround(folder: string): FoundPlugin | undefined {
  const found = upward(folder).find((one) => existsSync(path.join(one, "plugin.json")));
  if (found === undefined) return undefined;
  const { kind } = JSON.parse(readFileSync(path.join(found, "plugin.json"), "utf8")) as { kind?: string };
  return { folder: found, isTool: kind === "tool" };
}

/** The option that makes the replay's host use a plugin, and what it needs. */
function pluginLines(plugin: FoundPlugin, folder: string) {
  const steps = path.relative(folder, plugin.folder).split(path.sep).join("/") || ".";
  const found = `path.resolve(import.meta.dirname, ${JSON.stringify(steps)})`;
  return {
    before: [
      "/** The plugin as a host finds it: by its folder, built. */",
      `const plugin = ${plugin.isTool ? found : `{ use: ${found}, isolation: "trusted" }`};`,
      "",
    ],
    option: ['      plugins: ["@pergola/bundle-standard", plugin],'],
  };
}

function testText(name: string, folder: string): string {
  const plugin = pluginAround(folder);
  const { before, option } = plugin ? pluginLines(plugin, folder) : { before: [], option: [] };
  const recording = `new URL(${JSON.stringify(`${name}.cassette.json`)}, import.meta.url)`;
  const call =
    option.length === 0
      ? [`    await replayRun(${recording});`]
      : [`    await replayRun(${recording}, {`, ...option, "    });"];
  const lines = [
    ...(plugin ? ['import path from "node:path";'] : []),
    'import { replayRun } from "@pergola/sdk/testing";',
    "",
    ...before,
    `describe(${JSON.stringify(name)}, function () {`,
    "  this.timeout(60_000);",
    "",
    '  it("runs as it was recorded", async () => {',
    ...call,
    "  });",
    "});",
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes both files. Throws AppError `invalid_value` where one of them is there. */
function write(files: ReadonlyMap<string, string>): void {
  const taken = [...files.keys()].find((file) => existsSync(file));
  if (taken !== undefined) throw fault("invalid_value", `${taken} exists already. Choose another --name.`);
  for (const [file, text] of files) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  }
}

function noteWhatIsOpen({ steps }: Cassette): void {
  const shaped = steps.flatMap(({ executions }) => executions).filter((call) => call.shaped === true);
  if (shaped.length === 0) return;
  const results = countOf(shaped.length, "result", "results");
  printNote(
    `Hooks of plugins changed ${results}. To test these hooks too, write what the tool gives to them into ` +
      "`given`, beside `shaped` in the recording.",
  );
}

/** `pergola runs export --as-test`: writes an ended run as a recording, and a test that replays it. */
export async function exportRun(
  service: Service,
  id: string,
  { asTest, name: wanted, ...options }: ExportOptions,
): Promise<void> {
  const cassette = await withHint(service.get<Cassette>(`${addressOf(id)}/cassette`), listHint);
  const { conversationId } = await service.get<{ readonly conversationId: string }>(addressOf(id));
  const name = checkedName(wanted ?? nameOf(await titleOf(service, conversationId), id));
  const folder = path.resolve(asTest === true ? "." : asTest);
  const [recording, test] = [`${name}.cassette.json`, `${name}.test.ts`].map((file) =>
    path.join(folder, file),
  ) as [string, string];
  write(
    new Map([
      [recording, `${JSON.stringify(cassette, null, 2)}\n`],
      [test, testText(name, folder)],
    ]),
  );
  const shown = path.relative(process.cwd(), test);
  printResult(options, { runId: id, recording, test }, [
    `Wrote ${path.relative(process.cwd(), recording)} and ${shown}.`,
    `Run the test with: npx mocha --import=tsx ${shown}`,
  ]);
  if (options.json) return;
  noteWhatIsOpen(cassette);
  printNote(
    "Known secrets are taken out. Read the recording before you share it: it holds the conversation.",
  );
}
