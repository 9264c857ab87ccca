import { expect } from "chai";
import fc from "fast-check";
import { Redactor, redactText, StreamRedactor, unfinishedAt, type RedactionLevel } from "@pergola/sdk/host";

const inPieces = (pieces: readonly string[], level: RedactionLevel): string => {
  const stream = new StreamRedactor(
    (text) => redactText(text, level),
    (text) => unfinishedAt(text, level),
  );
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
};

/** What each level blanks out, and what it leaves. */
const found: Readonly<Record<Exclude<RedactionLevel, "off">, readonly string[]>> = {
  secrets: [
    "sk-proj-abcdefghijklmnop0123",
    "sk_live_abcdefghijklmnop",
    "ghp_abcdefghijklmnop01234567",
    "xoxb-1234567890-abc",
    "github_pat_abcdefghijklmnopqrstu",
    "AKIAABCDEFGHIJKLMNOP",
    "AIzaabcdefghijklmnopqrstuvwxyz0123",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
  ],
  pii: [
    "ada@example.org",
    "+49 170 1234567",
    "+491701234567",
    "(030) 123 45 67",
    "4111 1111 1111 1111",
    "123-45-6789",
    "DE89 3704 0044 0532 0130 00",
  ],
  strict: ["192.168.0.17", "2001:db8:0:0:8a2e:370:7334:1", "fe80::1", "00:1a:2b:3c:4d:5e", "12 Baker Street"],
};
const left: readonly string[] = [
  "task-management-with-long-names-2026",
  "Is the key=value form known? Basic training and the bearer of news.",
  "2026-11-20 09:52:43, version 1.2.3, 1234567890 items, 50-60 percent",
  "AKIA and AIza are prefixes, as are ghp_ and sk-",
  "He lives at 12 for now; call 911",
];
const order: readonly RedactionLevel[] = ["off", "secrets", "pii", "strict"];

describe("redaction of texts", () => {
  for (const [level, samples] of Object.entries(found) as [RedactionLevel, readonly string[]][]) {
    for (const sample of samples) {
      it(`blanks ${sample.slice(0, 6)}… out from ${level} on`, () => {
        const text = `before ${sample} after`;
        for (const one of order) {
          const hidden = order.indexOf(one) >= order.indexOf(level);
          expect(redactText(text, one), one).to.equal(hidden ? "before [redacted] after" : text);
        }
      });
    }
  }

  it("blanks out what a name announces, and keeps the name", () => {
    expect(
      redactText(
        "Authorization: Bearer abc.def-ghi_jkl7, https://x.example/?api_key=AbCdEfGhIj&x=1",
        "secrets",
      ),
    ).to.equal("Authorization: Bearer [redacted], https://x.example/?api_key=[redacted]&x=1");
  });

  it("leaves ordinary text alone at every level", () => {
    for (const text of left) for (const level of order) expect(redactText(text, level)).to.equal(text);
  });

  it("finds the same in a stream, wherever it is split", () => {
    const texts = [
      ...Object.values(found).flat(),
      ...left,
      "Bearer abc.def-ghi_jkl7 x",
      "a?token=0123456789abc&b=1",
    ].map((text) => `So: ${text}.`);
    for (const level of order)
      for (const text of texts) {
        const whole = redactText(text, level);
        for (let at = 0; at <= text.length; at++)
          expect(inPieces([text.slice(0, at), text.slice(at)], level), `${level}, ${at}`).to.equal(whole);
        expect(inPieces(text.split(""), level), `${level}, character by character`).to.equal(whole);
      }
  });

  it("finds the same in any stream", () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...Object.values(found).flat(),
        "Bearer ",
        "?key=",
        "sk-",
        "s",
        "AK",
        "12 ",
        "a@b",
        ".",
        "-",
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.array(fc.nat(120), { maxLength: 8 }),
        (words, places) => {
          const text = words.join(" ");
          const cuts = [0, ...places.filter((at) => at < text.length).toSorted((a, b) => a - b), text.length];
          const pieces = cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
          for (const level of ["off", "secrets"] as const)
            expect(inPieces(pieces, level)).to.equal(redactText(text, level));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("hands ordinary text on at once", () => {
    const stream = new StreamRedactor(
      (text) => redactText(text, "secrets"),
      (text) => unfinishedAt(text, "secrets"),
    );
    for (const piece of [
      "Hello",
      " world",
      ", how",
      " are",
      " you?",
      " A key=value",
      " pair.\n",
      "https://x.example/?q=1",
    ])
      expect(stream.push(piece)).to.equal(piece);
    expect(stream.push(" sk-abc")).to.equal(" ");
    expect(stream.push(" and")).to.equal("sk-abc and");
  });

  it("does not hold back for ever", () => {
    const stream = new StreamRedactor(
      (text) => redactText(text, "secrets"),
      (text) => unfinishedAt(text, "secrets"),
    );
    let said = "";
    for (let index = 0; index < 5000; index++) said += stream.push("eyJa");
    expect(said.length).to.be.above(10_000);
  });
});

describe("redaction of what is known", () => {
  const redactor = new Redactor();
  redactor.add(["a secret/with=signs"]);
  const token = "6b0f3a52-51f7-4c0e-9a53-0d5f4a3b2c1d-0f9e8d7c-6b5a-4f3e-8d2c-1b0a9f8e7d6c";

  it("finds a secret as it is, in base64 and as a part of an address", () => {
    const secret = "a secret/with=signs";
    const forms = [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)];
    for (const form of forms) expect(redactor.redactKnown(`x ${form} y`)).to.match(/^x \[redacted\]=* y$/);
  });

  it("knows a token of the service by its form, and no other id", () => {
    expect(redactor.redactKnown(`Bearer ${token}.`)).to.equal("Bearer [redacted].");
    const others = [token.slice(0, 36), token.slice(0, -1), `${token}0`];
    for (const other of others) expect(redactor.redactKnown(other)).to.equal(other);
  });
});
