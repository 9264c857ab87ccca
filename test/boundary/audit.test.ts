import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { openProject, type Project } from "../support/pergola.ts";
import { addToken, fromElsewhere, openDoorStage, type Made } from "./door-scene.ts";

describe("the audit", function () {
  this.timeout(60_000);
  let stage: Stage;
  let project: Project;
  const fileIn = (data: string): string => path.join(data, "audit", "audit.jsonl");
  before(async () => {
    [stage, project] = [await openDoorStage(), await openProject()];
    project.settings();
    mkdirSync(path.dirname(fileIn(project.data)), { recursive: true });
  });
  after(async () => {
    await project.close();
    await stage.end();
  });

  const headIn = (data: string): string => path.join(data, "audit", "head.json");

  async function verify(lines: string, head = readFileSync(headIn(stage.host.dataDirectory), "utf8")) {
    writeFileSync(fileIn(project.data), lines);
    writeFileSync(headIn(project.data), head);
    const { code, stdout } = await project.run(["audit", "--verify", "--json"]);
    const { faults } = JSON.parse(stdout) as { faults: readonly string[] };
    return { code, faults: faults.map((fault) => fault.slice(fault.search(/(audit\.jsonl|head\.json):/))) };
  }

  it("X51 names the line where one was removed, edited, swapped or cut", async () => {
    for (let index = 0; index < 6; index += 1) await addToken(stage.host, `x51 ${index}`);
    const whole = readFileSync(fileIn(stage.host.dataDirectory), "utf8");
    const lines = whole.trimEnd().split("\n");
    expect(lines.length).to.be.at.least(7);
    expect(await verify(whole)).to.deep.equal({ code: 0, faults: [] });

    const removed = await verify(`${lines.toSpliced(3, 1).join("\n")}\n`);
    expect(removed).to.deep.equal({
      code: 1,
      faults: ["audit.jsonl:4: it has the number 5 after 3: lines are missing."],
    });
    const edited = lines.with(3, (lines[3] ?? "").replace("x51", "x15"));
    expect(edited[3]).not.to.equal(lines[3]);
    expect(await verify(`${edited.join("\n")}\n`)).to.deep.equal({
      code: 1,
      faults: ["audit.jsonl:5: the line before it has been changed."],
    });
    const swapped = await verify(
      `${[...lines.slice(0, 2), lines[3], lines[2], ...lines.slice(4)].join("\n")}\n`,
    );
    expect([swapped.code, swapped.faults[0]?.slice(0, 14)]).to.deep.equal([1, "audit.jsonl:3:"]);
    const { length } = lines;
    const missing = (left: number): string =>
      `the last line should have the number ${length}, not ${left}: lines are missing.`;
    expect(await verify(whole.slice(0, -20))).to.deep.equal({
      code: 1,
      faults: [`audit.jsonl:${length}: it is no entry.`, `audit.jsonl:${length}: ${missing(length - 1)}`],
    });
  });

  it("X51 names whole lines that were cut off the end or the beginning, and a head that is gone", async () => {
    const lines = readFileSync(fileIn(stage.host.dataDirectory), "utf8").trimEnd().split("\n");
    const { length } = lines;
    const of = (some: readonly string[]): string => some.map((line) => `${line}\n`).join("");
    expect(await verify(of(lines.slice(0, -2)))).to.deep.equal({
      code: 1,
      faults: [
        `audit.jsonl:${length - 2}: the last line should have the number ${length}, not ${length - 2}: lines are missing.`,
      ],
    });
    const { first } = JSON.parse(readFileSync(headIn(stage.host.dataDirectory), "utf8")) as { first: number };
    expect(await verify(of(lines.slice(2)))).to.deep.equal({
      code: 1,
      faults: [
        `audit.jsonl:1: it has the number ${first + 2}, but the first one should have ${first}: lines are missing.`,
      ],
    });
    const without = await verify(of(lines), "");
    expect([without.code, without.faults[0]?.slice(0, 25)]).to.deep.equal([1, "head.json: it is missing,"]);
  });

  it("X51 names the line after whole lines were cut off while the service runs", async () => {
    const file = fileIn(stage.host.dataDirectory);
    for (let index = 0; index < 3; index += 1) await addToken(stage.host, `x51 cut ${index}`);
    const whole = readFileSync(file, "utf8");
    const kept = whole.trimEnd().split("\n").slice(0, -2);
    writeFileSync(file, `${kept.join("\n")}\n`);
    await addToken(stage.host, "x51 after the cut");
    const cut = readFileSync(file, "utf8");
    const last = cut.trimEnd().split("\n").at(-1) ?? "";
    writeFileSync(file, `${whole}${last}\n`);
    const { code, faults } = await verify(cut);
    expect(code).to.equal(1);
    expect(faults[0]).to.match(new RegExp(`^audit.jsonl:${kept.length + 1}: .*lines are missing`));
    expect(await verify(readFileSync(file, "utf8")), "the whole file").to.deep.equal({ code: 0, faults: [] });
  });

  it("X51 makes no token that cannot be written down, and says what to do", async function () {
    if (!existsSync("/dev/full")) this.skip();
    const file = fileIn(stage.host.dataDirectory);
    const victim = await addToken(stage.host, "x51 victim");
    renameSync(file, `${file}.kept`);
    symlinkSync("/dev/full", file);
    const draft = { name: "x51 unwritten", scopes: ["read"] };
    const id = victim.token.id;
    const attempts = [
      await stage.host.json<{ error: { code: string; message: string } }>("POST", "/api/tokens", draft),
      await stage.host.json<{ error: { code: string; message: string } }>(
        "POST",
        `/api/tokens/${id}/rotate`,
        {},
      ),
      await stage.host.json<{ error: { code: string; message: string } }>("DELETE", `/api/tokens/${id}`),
    ];
    rmSync(file);
    renameSync(`${file}.kept`, file);
    for (const { status, body } of attempts) {
      expect(`${status} ${body.error.code}`).to.equal("503 storage_unavailable");
      expect(body.error.message).to.include("Make room on the disk");
    }
    const { body } = await stage.host.json<{ tokens: Made["token"][] }>("GET", "/api/tokens");
    expect(body.tokens.map(({ name }) => name)).not.to.include("x51 unwritten");
    expect(body.tokens.filter(({ name }) => name === "x51 victim")).to.have.lengthOf(1);
    expect((await fromElsewhere(stage.host, "/api/models", { token: victim.secret })).status).to.equal(200);
    await addToken(stage.host, "x51 unwritten");
    expect(await verify(readFileSync(file, "utf8"))).to.deep.equal({ code: 0, faults: [] });
  });
});
