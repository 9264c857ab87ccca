import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { auditFiles, auditFolder, auditHash, currentAuditFile, type Parts } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import { AuditLog } from "../audit-log.ts";

/** As much of the host as the audit needs. */
function hostAt(dataDirectory: string, maxBytes = 1_000_000): Parts {
  const preferences = { get: (key: string) => (key === "audit.max_bytes" ? maxBytes : 3) };
  const log = { error: () => undefined };
  const redact = (text: string): string => text.replaceAll("s3cret", "[redacted]");
  const timestamp = (): string => "2026-01-01T00:00:00.000Z";
  return { dataDirectory, preferences, log, redact, timestamp } as unknown as Parts;
}

const linesIn = (file: string): readonly string[] => readFileSync(file, "utf8").trimEnd().split("\n");
const fact = (target: string) => ({ action: "token created", target, outcome: "done" });

describe("the audit", () => {
  it("chains its lines, also over a restart, and is readable by its owner alone", () => {
    const folder = temporaryFolder();
    new AuditLog(hostAt(folder)).record(fact("one"));
    new AuditLog(hostAt(folder)).record(fact("two"));
    const file = currentAuditFile(auditFolder(folder));
    const [first = "", second = ""] = linesIn(file);
    expect(JSON.parse(first)).to.include({ seq: 1, target: "one", previous: "" });
    expect(JSON.parse(second)).to.include({ seq: 2, target: "two", previous: auditHash(first) });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
  });

  it("goes on after a line that a power cut has torn, and redacts what it is told", () => {
    const folder = temporaryFolder();
    new AuditLog(hostAt(folder)).record(fact("one"));
    const file = currentAuditFile(auditFolder(folder));
    writeFileSync(file, `${readFileSync(file, "utf8")}{"seq":2,"ti`);
    new AuditLog(hostAt(folder)).record(fact("with s3cret inside"));
    const lines = linesIn(file);
    expect(lines).to.have.lengthOf(3);
    expect(JSON.parse(lines[2] ?? "")).to.include({
      target: "with [redacted] inside",
      previous: auditHash(lines[1] ?? ""),
    });
  });

  it("begins a new file at its limit, keeps so many full ones, and reads over all of them", async () => {
    const folder = temporaryFolder();
    const log = new AuditLog(hostAt(folder, 600));
    for (let index = 1; index <= 40; index++) log.record(fact(`token ${index}`));
    expect(auditFiles(auditFolder(folder))).to.have.lengthOf(4);
    const { items } = await log.read({ after: 35, limit: 3 });
    expect(items.map(({ target }) => target)).to.deep.equal(["token 36", "token 37", "token 38"]);
  });
});
