import { expect } from "chai";
import { Redactor, withFields } from "@pergola/sdk/host";
import { createLog } from "../../core/log.ts";

describe("the log", () => {
  const scene = (secrets: readonly string[] = []) => {
    const redactor = new Redactor();
    redactor.add(secrets);
    const lines: string[] = [];
    return {
      redactor,
      lines,
      log: createLog(
        () => "info",
        redactor.redact,
        (line) => void lines.push(line),
      ),
    };
  };

  it("writes JSON lines with time, level, fields and message", () => {
    const { log, lines } = scene();
    withFields(log, { plugin: "x" }).warn({ step: "start" }, "slow");
    const { time, ...line } = JSON.parse(lines.join("")) as Record<string, string>;
    expect(line).to.deep.equal({ level: "warn", plugin: "x", step: "start", msg: "slow" });
    expect(new Date(time!).toISOString()).to.equal(time);
  });

  it("A5: takes a text alone, and keeps the fields that are the log's own", () => {
    const { log, lines } = scene();
    type Written = Readonly<Record<"info" | "warn", (text: string) => void>>;
    (withFields(log, { plugin: "x" }) as unknown as Written).info("a text");
    (log as unknown as Written).warn("another");
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, string>);
    expect(parsed.map(({ time: _, ...line }) => line)).to.deep.equal([
      { level: "info", plugin: "x", msg: "a text" },
      { level: "warn", msg: "another" },
    ]);
  });

  it("follows its level while it is in use", () => {
    let level: "error" | "debug" = "error";
    const lines: string[] = [];
    const log = createLog(
      () => level,
      String,
      (line) => void lines.push(line),
    );
    log.error({}, "one");
    log.debug({}, "two");
    level = "debug";
    log.debug({}, "three");
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(["one", "three"]);
  });

  it("writes nothing below its level", () => {
    const { log, lines } = scene();
    log.debug({}, "x");
    expect(lines).to.deep.equal([]);
  });

  it("finds planted keys wherever they stand: nested, in messages, stacks, causes and addresses", () => {
    const canary = 'canary "value" / 7f3a+ü';
    const { log, lines } = scene([canary]);
    const error = new Error(`refused: ${canary}`, {
      cause: new Error(`Bearer ${Buffer.from(canary).toString("base64")}`),
    });
    log.error(
      { request: { headers: [{ authorization: canary }] }, error },
      `asked https://x.example/?q=${encodeURIComponent(canary)}`,
    );
    log.info(
      { encoded: Buffer.from(canary).toString("base64"), safe: Buffer.from(canary).toString("base64url") },
      "x",
    );
    const text = lines.join("");
    for (const form of [
      canary,
      JSON.stringify(canary).slice(1, -1),
      encodeURIComponent(canary),
      Buffer.from(canary).toString("base64").replace(/=+$/, ""),
      "7f3a",
    ]) {
      expect(text).to.not.include(form);
    }
    expect(lines.map((line) => (JSON.parse(line) as { readonly level: string }).level)).to.deep.equal([
      "error",
      "info",
    ]);
  });

  const keys: Readonly<Record<string, string>> = {
    "an API key": "sk-proj-abcdefghijklmnop0123",
    "a GitHub token": "ghp_abcdefghijklmnop01234567",
    "an AWS key": "AKIAABCDEFGHIJKLMNOP",
    "a bearer token": "Bearer abc.def-ghi_jkl7",
    "basic credentials": "Basic dXNlcjpwYXNzd29yZA==",
    "a key in an address": "https://x.example/v1?key=AbCdEfGhIj&x=1",
    "a signed token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
  };
  for (const [what, text] of Object.entries(keys)) {
    it(`redacts ${what} that nobody told it of`, () => {
      expect(new Redactor().redact(`before ${text} after`)).to.match(/^before .*\[redacted\].* after$/);
      expect(new Redactor().redact(text)).to.not.match(
        /abcdefghij|ABCDEFGHIJ|abc\.def|dXNlcjp|AbCdEfGhIj|c2lnbmF0/,
      );
    });
  }

  it("leaves ordinary text alone", () => {
    const text =
      "The task-oriented sketch asks: Basic instructions? Bearer authentication! See https://x.example/?page=12&key=short and risk-free. sk-folding-cube-animation pk_order_by_customer_2024.";
    expect(new Redactor().redact(text)).to.equal(text);
  });

  it("lets nobody take on another's fields", () => {
    const { log, lines } = scene();
    withFields(log, { plugin: "x" }).info({ plugin: "y" }, "z");
    expect(JSON.parse(lines.join(""))).to.include({ plugin: "x" });
  });

  it("can look for known values alone", () => {
    const { redactor } = scene(["my secret"]);
    expect(redactor.redactKnown("my secret AKIAABCDEFGHIJKLMNOP")).to.equal(
      "[redacted] AKIAABCDEFGHIJKLMNOP",
    );
  });

  it("does not look for values so short that they would blot out everything", () => {
    expect(scene(["a", "abc"]).redactor.redact("abacus abc")).to.equal("abacus abc");
  });

  it("finds the longer of two secrets that begin alike, and both after they were added apart", () => {
    const { redactor } = scene(["secret"]);
    redactor.add(["secret-longer"]);
    expect(redactor.redact("secret-longer secret")).to.equal("[redacted] [redacted]");
  });

  it("makes control characters and turned text visible, and stays JSON", () => {
    const { log, lines } = scene();
    log.info({ name: "a\u001b[2Jb\u202ec\u2028d\u009be" }, "x\ny");
    for (const sign of ["\u001b", "\u202e", "\u2028", "\u009b", "x\n"])
      expect(lines.join("")).to.not.include(sign);
    expect((JSON.parse(lines.join("")) as { readonly name: string }).name).to.equal(
      "a\u001b[2Jb\u202ec\u2028d\u009be",
    );
  });
});
