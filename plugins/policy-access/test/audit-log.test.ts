import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import {
  appendAudit,
  auditCheck,
  auditFiles,
  auditFolder,
  auditHash,
  auditHeadFile,
  currentAuditFile,
  readAuditHead,
  type Parts,
} from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { AuditLog } from "../audit-log.ts";

const time = "2026-01-01T00:00:00.000Z";

/** As much of the host as the audit needs. */
function hostAt(dataDirectory: string, maxBytes = 1_000_000): Parts {
  const preferences = { get: (key: string) => (key === "audit.max_bytes" ? maxBytes : 3) };
  const log = { error: () => undefined };
  const redact = (text: string): string => text.replaceAll("s3cret", "[redacted]");
  const timestamp = (): string => time;
  return { dataDirectory, preferences, log, redact, timestamp } as unknown as Parts;
}

const linesIn = (file: string): readonly string[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
const fact = (target: string) => ({ action: "token created", target, outcome: "done" });

/** What `pergola audit --verify` finds. */
function faultsIn(folder: string): readonly string[] {
  const check = auditCheck(readAuditHead(folder));
  const found = auditFiles(folder).flatMap((file) => linesIn(file).map((line) => check.line(line)));
  return [...found, check.end()].filter((one) => one !== undefined);
}

describe("the audit", () => {
  let data: string;
  let folder: string;
  let file: string;
  beforeEach(() => {
    data = temporaryFolder();
    folder = auditFolder(data);
    file = currentAuditFile(folder);
  });
  const record = (log: AuditLog, ...targets: readonly string[]): void =>
    targets.forEach((target) => log.record(fact(target)));

  it("chains its lines, also over a restart, and is readable by its owner alone", () => {
    record(new AuditLog(hostAt(data)), "one");
    record(new AuditLog(hostAt(data)), "two");
    const [first = "", second = ""] = linesIn(file);
    expect(JSON.parse(first)).to.include({ seq: 1, target: "one", previous: "" });
    expect(JSON.parse(second)).to.include({ seq: 2, target: "two", previous: auditHash(first) });
    for (const each of [file, auditHeadFile(folder)]) expect(statSync(each).mode & 0o777).to.equal(0o600);
  });

  it("is one chain for all who write into it", () => {
    const log = new AuditLog(hostAt(data));
    record(log, "one");
    appendAudit(folder, fact("from a command"), { time });
    record(log, "two");
    expect(linesIn(file).map((line) => (JSON.parse(line) as { target: string }).target)).to.deep.equal([
      "one",
      "from a command",
      "two",
    ]);
    expect(faultsIn(folder)).to.deep.equal([]);
  });

  it("goes on after a line that a power cut has torn, and redacts what it is told", () => {
    record(new AuditLog(hostAt(data)), "one");
    writeFileSync(file, `${readFileSync(file, "utf8")}{"seq":2,"ti`);
    record(new AuditLog(hostAt(data)), "with s3cret inside");
    const lines = linesIn(file);
    expect(lines).to.have.lengthOf(3);
    expect(JSON.parse(lines[2] ?? "")).to.include({
      target: "with [redacted] inside",
      previous: auditHash(lines[1] ?? ""),
    });
  });

  it("goes on after a writer that died before it wrote the head", () => {
    record(new AuditLog(hostAt(data)), "one");
    const head = readFileSync(auditHeadFile(folder));
    record(new AuditLog(hostAt(data)), "two");
    writeFileSync(auditHeadFile(folder), head);
    expect(faultsIn(folder)).to.deep.equal([]);
    record(new AuditLog(hostAt(data)), "three");
    expect(linesIn(file)).to.have.lengthOf(3);
    expect(faultsIn(folder)).to.deep.equal([]);
  });

  it("X51 shows for ever that its last lines were cut off, whether a service runs or not", () => {
    const log = new AuditLog(hostAt(data));
    record(log, "one", "two", "three");
    const cut = (): void => writeFileSync(file, `${linesIn(file)[0]}\n`);
    cut();
    expect(faultsIn(folder)).to.deep.equal([
      "the last line should have the number 3, not 1: lines are missing",
    ]);
    record(new AuditLog(hostAt(data)), "four");
    const gap = "it has the number 4 after 1: lines are missing";
    expect(faultsIn(folder)).to.deep.equal([gap]);
    record(log, "five");
    expect(faultsIn(folder)).to.deep.equal([gap]);
  });

  it("X51 a running service does not go on from a head and a file that were put back", () => {
    const log = new AuditLog(hostAt(data));
    record(log, "one");
    const before = [file, auditHeadFile(folder)].map((each) => [each, readFileSync(each)] as const);
    record(log, "two", "three");
    for (const [each, bytes] of before) writeFileSync(each, bytes);
    record(log, "four");
    expect(faultsIn(folder)).to.deep.equal(["it has the number 4 after 1: lines are missing"]);
  });

  it("X51 names the last line when it was edited", () => {
    const log = new AuditLog(hostAt(data));
    record(log, "one", "two");
    writeFileSync(file, readFileSync(file, "utf8").replace('"two"', '"2"'));
    expect(faultsIn(folder)).to.deep.equal(["it has been changed"]);
    record(log, "three");
    expect(faultsIn(folder)).to.deep.equal(["the line before it has been changed"]);
  });

  it("X51 shows that its oldest lines or files were removed, though it removes full files itself", () => {
    const log = new AuditLog(hostAt(data, 600));
    for (let index = 1; index <= 40; index++) record(log, `token ${index}`);
    expect(auditFiles(folder)).to.have.lengthOf(4);
    expect(faultsIn(folder)).to.deep.equal([]);
    const { first } = readAuditHead(folder)!;
    expect(first).to.be.above(1);
    const [oldest = ""] = auditFiles(folder);
    const text = readFileSync(oldest, "utf8");
    const missing = (seq: number): string =>
      `it has the number ${seq}, but the first one should have ${first}: lines are missing`;
    writeFileSync(oldest, text.slice(text.indexOf("\n") + 1));
    expect(faultsIn(folder)).to.deep.equal([missing(first + 1)]);
    rmSync(oldest);
    expect(faultsIn(folder)).to.deep.equal([missing(first + text.trimEnd().split("\n").length)]);
  });

  it("X51 says where it found lines but nobody who knows where they ended", () => {
    record(new AuditLog(hostAt(data)), "one", "two");
    rmSync(auditHeadFile(folder));
    record(new AuditLog(hostAt(data)), "three");
    const actions = linesIn(file).map((line) => (JSON.parse(line) as { action: string }).action);
    expect(actions).to.deep.equal(["token created", "token created", "audit.anchor", "token created"]);
    expect(faultsIn(folder)).to.deep.equal([]);
  });

  it("begins a new file at its limit, keeps so many full ones, and reads over all of them", async () => {
    const log = new AuditLog(hostAt(data, 600));
    for (let index = 1; index <= 40; index++) record(log, `token ${index}`);
    expect(auditFiles(folder)).to.have.lengthOf(4);
    const { items, count } = await log.read({ after: 35, limit: 3 });
    expect(items.map(({ target }) => target)).to.deep.equal(["token 36", "token 37", "token 38"]);
    expect(count).to.equal(5);
    const { first } = readAuditHead(folder)!;
    const all = await log.read({ after: 0, limit: 1000 });
    expect([all.items.length, all.count, all.items[0]?.seq]).to.deep.equal([41 - first, 41 - first, first]);
    expect(await log.read({ after: 40, limit: 3 })).to.deep.equal({ items: [], count: 0 });
  });

  it("reads only the files that a page is in", async () => {
    const log = new AuditLog(hostAt(data, 600));
    for (let index = 1; index <= 41; index++) record(log, `token ${index}`);
    const planted = JSON.stringify({ seq: 40, target: "from another file", previous: "" });
    const files = auditFiles(folder);
    const texts = files.map((each) => readFileSync(each, "utf8"));
    const seqAt = (index: number): number =>
      (JSON.parse((texts[index] ?? "").split("\n")[0]!) as { seq: number }).seq;
    const seqs = async (after: number): Promise<readonly number[]> =>
      (await log.read({ after, limit: 2 })).items.map(({ seq }) => seq);
    for (const [index, each] of files.entries()) {
      files.forEach((one, at) => writeFileSync(one, at === index ? texts[at]! : `${planted}\n`));
      const first = seqAt(index);
      expect(await seqs(first - 1), path.basename(each)).to.deep.equal([first, first + 1]);
    }
  });
});
