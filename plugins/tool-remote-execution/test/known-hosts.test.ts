import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { remember } from "../ssh/home.ts";
import { fitsHost } from "../ssh/host-patterns.ts";
import { fingerprint, judgeKey, keyType, knownTypes } from "../ssh/known-hosts.ts";
import { parseListed, parseTarget } from "../ssh/target.ts";
import { makeKey, testHome, type Home } from "./home.ts";
import { needsKeys } from "./open-ssh-server.ts";

const blob = (fill: number, type = "ssh-ed25519"): Buffer => {
  const [name, key] = [Buffer.from(type), Buffer.alloc(32, fill)];
  const length = (bytes: Buffer): Buffer => Buffer.from([0, 0, 0, bytes.length]);
  return Buffer.concat([length(name), name, length(key), key]);
};
const line = (hosts: string, key: Buffer, marker = ""): string =>
  `${marker}${hosts} ${keyType(key)} ${key.toString("base64")} comment\n`;
const [good, other] = [blob(1), blob(2)];
const at = (name: string, port = 22) => parseTarget(`u@${name}`, port);

describe("known_hosts", () => {
  const cases: readonly (readonly [
    title: string,
    text: string,
    name: string,
    port: number,
    verdict: string,
  ])[] = [
    ["knows a host", line("a.example,10.0.0.1", good), "a.example", 22, "known"],
    ["knows it by its address", line("a.example,10.0.0.1", good), "10.0.0.1", 22, "known"],
    ["does not mind case", line("A.Example", good), "a.eXample", 22, "known"],
    ["does not know another", line("a.example", good), "b.example", 22, "unknown"],
    ["does not know it on another port", line("a.example", good), "a.example", 2222, "unknown"],
    ["knows a host with its port", line("[a.example]:2222", good), "a.example", 2222, "known"],
    ["tells ports apart", line("[a.example]:2222", good), "a.example", 22, "unknown"],
    ["knows an IPv6 address with its port", line("[::1]:2222", good), "::1", 2222, "known"],
    ["knows wildcards", line("*.example,x?", good), "a.b.example", 22, "known"],
    ["knows one character", line("*.example,x?", good), "xy", 22, "known"],
    ["honours exclusion", line("*.example,!bad.example", good), "bad.example", 22, "unknown"],
    ["takes a dot for a dot", line("a.example", good), "axexample", 22, "unknown"],
    ["sees a changed key", line("a.example", other), "a.example", 22, "changed"],
    [
      "sees a key of a new kind as changed",
      line("a.example", blob(1, "ssh-rsa")),
      "a.example",
      22,
      "changed",
    ],
    [
      "takes one of several keys",
      line("a.example", other) + line("a.example", good),
      "a.example",
      22,
      "known",
    ],
    [
      "refuses a revoked key",
      line("a.example", good) + line("*", good, "@revoked "),
      "a.example",
      22,
      "revoked",
    ],
    [
      "lets a revoked key of others be",
      line("a.example", good) + line("b.*", good, "@revoked "),
      "a.example",
      22,
      "known",
    ],
    [
      "does not take an authority for a key",
      line("*.example", good, "@cert-authority "),
      "a.example",
      22,
      "authority",
    ],
    [
      "skips comments, blanks and nonsense",
      `# a.example ${good.toString("base64")}\n\nnonsense\na.example\n`,
      "a.example",
      22,
      "unknown",
    ],
    [
      "reads lines that end with CR LF",
      line("a.example", good).replace("\n", "\r\n"),
      "a.example",
      22,
      "known",
    ],
  ];
  for (const [title, text, name, port, verdict] of cases)
    it(title, () => {
      expect(judgeKey(text, at(name, port), good)).to.equal(verdict);
    });

  it("reads what ssh-keygen hashes", function () {
    needsKeys.call(this);
    const file = path.join(temporaryFolder(), "known_hosts");
    const { open } = makeKey();
    writeFileSync(file, `a.example ${open}\n[b.example]:2222 ${open}\n`);
    execFileSync("ssh-keygen", ["-q", "-H", "-f", file], { stdio: "ignore" });
    const [text, key] = [readFileSync(file, "utf8"), Buffer.from(open.split(" ")[1] ?? "", "base64")];
    expect(text).to.not.contain("example");
    expect(judgeKey(text, at("A.example"), key)).to.equal("known");
    expect(judgeKey(text, at("b.example", 2222), key)).to.equal("known");
    expect(judgeKey(text, at("b.example"), key)).to.equal("unknown");
    expect(judgeKey(text, at("a.example"), good)).to.equal("changed");
  });

  it("shows fingerprints as ssh-keygen does", function () {
    needsKeys.call(this);
    const { file, open } = makeKey("ecdsa");
    const shown = execFileSync("ssh-keygen", ["-l", "-f", file]).toString();
    expect(shown).to.contain(fingerprint(Buffer.from(open.split(" ")[1] ?? "", "base64")));
  });

  it("names the kinds of key that a host is known by", () => {
    expect(
      knownTypes(line("a", good) + line("a", blob(3, "ssh-rsa")) + line("b", blob(3, "x")), at("a")),
    ).to.deep.equal(["ssh-ed25519", "ssh-rsa"]);
  });

  it("is not slowed by a pattern of many stars", () => {
    const begun = performance.now();
    fitsHost(`${"*".repeat(200)}x`, "a".repeat(250));
    expect(performance.now() - begun).to.be.below(100);
  });
});

describe("remembering a host", () => {
  let home: Home;
  beforeEach(() => {
    home = testHome();
  });
  afterEach(() => home.restore());

  it("adds one line to what is there, and keeps the file's mode", () => {
    const file = home.put("known_hosts", line("b.example", other).trimEnd());
    execFileSync("chmod", ["644", file]);
    expect(remember(at("a.example", 2222), good)).to.equal("known");
    expect(home.knownHosts()).to.equal(
      `${line("b.example", other)}[a.example]:2222 ssh-ed25519 ${good.toString("base64")}\n`,
    );
    expect(statSync(file).mode & 0o777).to.equal(0o644);
  });

  it("makes the file for the person alone", () => {
    remember(at("a.example"), good);
    remember(at("a.example"), good);
    expect(home.knownHosts()).to.equal(`a.example ssh-ed25519 ${good.toString("base64")}\n`);
    expect(statSync(path.join(home.path, ".ssh/known_hosts")).mode & 0o777).to.equal(0o600);
  });

  it("keeps a link a link", () => {
    const file = home.put("known_hosts", "");
    const real = path.join(temporaryFolder(), "hosts");
    renameSync(file, real);
    symlinkSync(real, file);
    remember(at("a.example"), good);
    expect(lstatSync(file).isSymbolicLink()).to.equal(true);
    expect(readFileSync(real, "utf8")).to.contain("a.example");
  });

  it("does not replace the key of a host that has become known meanwhile", () => {
    home.put("known_hosts", line("a.example", other));
    expect(remember(at("a.example"), good)).to.equal("changed");
    expect(home.knownHosts()).to.equal(line("a.example", other));
  });
});

describe("hosts", () => {
  it("reads accounts, names and addresses", () => {
    expect(parseTarget("me@Web-1.Example.org", 22)).to.deep.equal({
      user: "me",
      name: "web-1.example.org",
      port: 22,
      label: "me@Web-1.Example.org",
    });
    expect(parseTarget("me@[fe80::1]", 7)).to.include({ name: "fe80::1", port: 7 });
    expect(parseTarget("10.0.0.1", 22).user).to.not.equal("");
    expect(parseListed("me@web:2222", 22)).to.include({ name: "web", port: 2222 });
    expect(parseListed("me@[::1]:2222", 22)).to.include({ name: "::1", port: 2222 });
    expect(parseListed("me@::1", 22)).to.include({ name: "::1", port: 22 });
  });

  for (const text of [
    "",
    "@",
    "a@",
    "@h",
    "-h",
    "u@-h",
    "-u@h",
    "u@h x",
    "u@h\n",
    "u@h:22",
    "u@[h]",
    "u@*",
    "u@h,i",
    "a b@h",
    "u@h/..",
    "ssh://u@h",
  ])
    it(`A29: refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseTarget(text, 22))
        .to.throw()
        .with.property("code", "invalid_value");
    });
});
