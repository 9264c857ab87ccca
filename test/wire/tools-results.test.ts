import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { noNames } from "../support/no-names.ts";
import { eachOf, execute, openTools, type Executed, type ToolStage } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

/** Every code that a tool's failure may have. */
const codes = new Set(
  `missing_required invalid_operation invalid_json invalid_value insufficient_params file_not_found permission_denied
  system_permission_denied path_escape ambiguous_match network_error timeout tool_disabled unavailable approval_required denied
  approval_expired cancelled repeated_call tool_suspended too_many_calls outcome_unknown not_found conflict generic_error`.split(
    /\s+/,
  ),
);
/** Those that say that the call, or the service, is wrong. */
const faults = new Set(
  "missing_required invalid_operation invalid_json insufficient_params tool_disabled generic_error outcome_unknown".split(
    " ",
  ),
);

/**
 * Families that can do nothing without an answer from another computer, or something that was kept before.
 */
const needMore = new Set(["read_tool_result", "weather_operations", "web_operations", "remote_execution"]);

const files = {
  "README.md": "# Read me\n\nTODO: parseConfig\n",
  "a.txt": "old\n",
  "notes.txt": "one\ntwo\n",
  "notes.md": "two\n",
  "src/index.ts": "export const a = 1;\n",
};
const writeFiles = (work: string) =>
  Object.entries(files).forEach(([name, text]) => writeFileSync(path.join(work, name), text));

/** A repository with what examples like to name. */
function makeWork(): string {
  const work = temporaryFolder();
  for (const folder of ["src", "docs", "lib", "logs", "website"]) mkdirSync(path.join(work, folder));
  writeFiles(work);
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.example", ...words], { cwd: work });
  git("init", "--quiet");
  git("add", "README.md");
  git("commit", "--quiet", "-m", "First");
  git("add", "a.txt");
  return work;
}

const isText = (value: unknown): value is string => typeof value === "string";

function faultOfSuccess({ data, error, error_code: code }: Executed["toolResult"]): string | undefined {
  const isGood = isText(data) && error === undefined && code === undefined;
  return isGood ? undefined : "no data, or an error";
}

function faultOfFailure({ toolResult: result, error_code: code }: Executed): string | undefined {
  if (!isText(result.error) || result.error === "" || result.data !== undefined) return "no error, or data";
  const isGood = codes.has(result.error_code ?? "") && code === result.error_code;
  return isGood ? undefined : `the code ${result.error_code}`;
}

/** What is wrong with the shape of an answer; undefined when nothing is. */
function fault(answer: Executed): string | undefined {
  const { success, toolResult: result } = answer;
  if (result?.success !== success || !isText(result.message)) return "no success or no message";
  return success ? faultOfSuccess(result) : faultOfFailure(answer);
}

describe("results of tools", () => {
  const work = makeWork();
  let giveNamesBack: () => void;
  let stage: ToolStage;
  before(async () => {
    giveNamesBack = noNames();
    stage = await openTools({
      settings: { "tools.git.user_name": "A", "tools.git.user_email": "a@b.example" },
    });
  });
  after(() => stage.end().finally(() => giveNamesBack()));

  verifies(
    ["T01", "door:no-leaks"],
    "every operation runs, and answers in the one shape without a word about the service",
    async () => {
      const well = new Set<string>();
      const waiting = { conversationId: "debug", workingDirectory: work, isUserInitiated: true };
      const wrong = await eachOf(
        stage.operations,
        async ({ tool, name, args }) => {
          writeFiles(work);
          const answer = await execute(stage, name, args, waiting);
          if (
            answer.success ||
            answer.error_code === "unavailable" ||
            answer.error_code === "approval_required"
          )
            well.add(tool.name);
          const text = JSON.stringify(answer);
          const problem =
            fault(answer) ??
            (faults.has(answer.error_code ?? "") ? `the code ${answer.error_code}` : undefined);
          const leak =
            /\n\s+at .*:\d+:\d+|node:internal|file:\/\/\/.*\.[jt]s/.test(text) ||
            text.includes(stage.host.dataDirectory);
          return problem === undefined && !leak
            ? undefined
            : `${name} ${JSON.stringify(args)}: ${problem ?? "tells of the service"}: ${text.slice(0, 300)}`;
        },
        1,
      );
      expect(wrong).to.deep.equal([]);
      expect(
        stage.families.map((tool) => tool.name).filter((name) => !well.has(name) && !needMore.has(name)),
      ).to.deep.equal([]);
    },
  ).timeout(120_000);

  verifies("door:no-leaks", "no failure tells where the service keeps its data", async () => {
    const own = path.join(stage.host.dataDirectory, "x");
    const wrong = await eachOf(stage.operations, async ({ operation, name, args }) => {
      const strange = Object.fromEntries(
        Object.entries(args).map(([key, value]) => [
          key,
          typeof value === "string" ? "none-such\u0007" : value,
        ]),
      );
      const text = JSON.stringify(
        await execute(stage, name, strange, {
          workingDirectory: work,
          isUserInitiated: operation.effect === "read",
        }),
      );
      return text.includes(own.slice(0, -2)) || /\n\s+at .*:\d+:\d+/.test(text)
        ? `${name}: ${text.slice(0, 300)}`
        : undefined;
    });
    expect(wrong).to.deep.equal([]);
  });
});
