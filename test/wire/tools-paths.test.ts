import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { expect } from "chai";
import { argumentPlaces, textPlaces, type ArgumentPlace } from "../support/argument-places.ts";
import { approvals } from "../support/lab-stage.ts";
import { eachOf, execute, openTools, type Executed, type ToolStage } from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

/** Stands in every file that no call may read. */
const marker = "marker-7c1e";

/**
 * The working directory `work` with a folder beside it, and links from it to the outside and into the
 * service's data.
 */
function makeFolders() {
  const base = temporaryFolder();
  const [work, outside, beside, data] = ["work", "outside", "work-evil", "host/data"].map((name) =>
    path.join(base, name),
  ) as [string, string, string, string];
  for (const folder of [`${work}/src`, outside, beside, data]) mkdirSync(folder, { recursive: true });
  for (const folder of [outside, beside, data, base]) writeFileSync(`${folder}/x`, `${marker}\n`);
  writeFileSync(`${work}/a.txt`, "old\n");
  symlinkSync(outside, `${work}/link`);
  symlinkSync(`${outside}/x`, `${work}/link-to-file`);
  symlinkSync(`${outside}/new`, `${work}/link-to-nothing`);
  symlinkSync(data, `${work}/own`);
  linkSync(`${data}/x`, `${work}/hard`);
  execFileSync("git", ["init", "--quiet"], { cwd: work });
  return { base, work, outside, beside, data };
}

describe("paths that tools are given", () => {
  const { base, work, outside, beside, data } = makeFolders();
  const guarded = [base, outside, beside];
  /** What lies outside the working directory, by name and text. */
  const look = () =>
    guarded.map((folder) => [readdirSync(folder).toSorted(), readFileSync(`${folder}/x`, "utf8")]);
  const before_ = look();
  /** What calls may have left in the service's data, beside the files of its sandbox. */
  const own = () => [
    readdirSync(data).filter((name) => name !== "sandbox" && /x|evil|new/.test(name)),
    readFileSync(`${data}/x`, "utf8"),
  ];
  const ownBefore = own();
  let stage: ToolStage;
  let places: readonly ArgumentPlace[];

  before(async () => {
    stage = await openTools({
      dataDirectory: data,
      settings: { "authorization.protected_paths": [outside] },
    });
    places = stage.operations.flatMap((one) => [
      ...argumentPlaces(one, ["path", "path-or-uri"]),
      ...textPlaces(one),
    ]);
  });
  after(() => stage.end());
  afterEach(() => {
    expect(look()).to.deep.equal(before_);
    expect(own()).to.deep.equal(ownBefore);
  });

  /** A line for each place where one of the paths is not treated as it must be. */
  const wrong = (paths: readonly string[], isRight: (answer: Executed) => boolean, more: object = {}) =>
    eachOf(
      places.flatMap((one) => paths.map((file) => ({ one, file }))),
      async ({ one, file }) => {
        const answer = await execute(stage, one.name, one.with(file), { workingDirectory: work, ...more });
        if (isRight(answer) && !JSON.stringify(answer).includes(marker)) return undefined;
        return `${one.name} ${one.path} = ${JSON.stringify(file)}: ${answer.error_code ?? "done"} ${answer.error ?? ""}`;
      },
    );
  const code =
    (...codes: readonly string[]) =>
    (answer: Executed) =>
      !answer.success && codes.includes(answer.error_code ?? "");
  const byPerson = { isUserInitiated: true };

  it("are known by their formats, in lists and inside items too", () => {
    const known = places.map(({ name, path: place }) => `${name} ${place}`);
    expect(known).to.include.members([
      "file_operations.read_file filePath",
      "file_operations.get_errors filePaths[]",
      "file_operations.get_errors filePaths[last]",
      "file_operations.multi_replace_string replacements[].filePath",
      "file_operations.rename_file oldPath",
      "file_operations.rename_file newPath",
      "apply_patch.patch patch, in the text",
      "version_control.git_commit files[last]",
    ]);
  });

  verifies(
    ["policy:never", "A10"],
    "CVE-2025-53110, CVE-2025-54794: none leaves the working directory by going up",
    async () => {
      const up = ["../x", "src/../../x", "../work-evil/x", "./../work-evil", "..", "link/../../x"];
      expect(await wrong(up, code("path_escape"), byPerson)).to.deep.equal([]);
    },
  );

  verifies(
    ["policy:protected", "A10"],
    "CVE-2025-53109, CVE-2026-25724: a link that leads outside is taken as what it leads to",
    async () => {
      const links = ["link/x", "link", "link/new/deep", "link-to-file", "link-to-nothing", "src/../link/x"];
      expect(await wrong(links, code("approval_required"))).to.deep.equal([]);
      const asked = await approvals(stage.host);
      expect(asked.length).to.be.above(100);
      const blind = asked.filter(
        (one) => one.effect !== "none" && !one.paths.some((file) => file.startsWith(outside)),
      );
      expect(blind.map(({ tool, operation, paths }) => ({ tool, operation, paths }))).to.deep.equal([]);
    },
  );

  verifies(
    ["policy:table", "A10"],
    "an absolute one outside asks before anything is changed there",
    async () => {
      const changing = places.filter(({ effects }) => !effects.includes("none") && !effects.includes("read"));
      const answers = await eachOf(changing, async (one) => {
        const answer = await execute(stage, one.name, one.with(`${beside}/new`), { workingDirectory: work });
        return answer.error_code === "approval_required"
          ? undefined
          : `${one.name} ${one.path}: ${answer.error_code} ${answer.error}`;
      });
      expect(answers).to.deep.equal([]);
    },
  );

  verifies(
    "policy:never",
    "the service's own data is refused, whoever asks and however it is spelled",
    async () => {
      const names = [
        data,
        `${data}/x`,
        `${data}/new`,
        "own",
        "own/x",
        "own/new",
        "hard",
        "own/x/below",
        `${work}/../host/data/x`,
      ];
      expect(await wrong(names, code("permission_denied"), byPerson)).to.deep.equal([]);
      expect(await wrong(names.slice(0, 2), code("permission_denied"))).to.deep.equal([]);
    },
  );

  verifies("policy:never", "one with a NUL, or an empty one, is refused", async () => {
    expect(
      await wrong(
        ["a\0b", "\0", "src/\0", "a.txt\0/../../x"],
        code("invalid_value", "path_escape"),
        byPerson,
      ),
    ).to.deep.equal([]);
    expect(await wrong([""], code("invalid_value", "missing_required"), byPerson)).to.deep.equal([]);
  });
});
