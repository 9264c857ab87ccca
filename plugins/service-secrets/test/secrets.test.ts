import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { SecretHost } from "@pergola/sdk/host";
import { temporaryFolder } from "@pergola/sdk/testing";
import type { Keyring } from "../keyring.ts";
import { Secrets } from "../secrets.ts";

const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail("it should have failed"),
    (error: Error) => error,
  );

/** A key store that keeps, loses or refuses. */
function fakeKeyring(answers: () => boolean = () => true) {
  const kept = new Map<string, string>();
  const check = (): void => {
    if (!answers()) throw new Error("locked");
  };
  const keyring: Keyring = {
    get: async (name) => (check(), kept.get(name)),
    set: async (name, value) => (check(), void kept.set(name, value)),
    delete: async (name) => (check(), void kept.delete(name)),
  };
  return { kept, keyring };
}

describe("service-secrets", () => {
  let folder: string;
  let file: string;
  let key: string;
  const open = (more: Partial<SecretHost> = {}, { keyring } = fakeKeyring()): Secrets =>
    new Secrets(
      {
        dataDirectory: folder,
        configurationDirectory: path.join(folder, "config"),
        credentialsDirectory: undefined,
        store: "file",
        ...more,
      },
      keyring,
    );
  beforeEach(() => {
    folder = temporaryFolder();
    file = path.join(folder, "secrets.json");
    key = path.join(folder, "config", "secret.key");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("gives back what it was given, after another start too, and lists names only", async () => {
    expect(await open().set("openai", "sk-one")).to.equal("file");
    await open().set("OTHER_KEY", "zwölf €");
    expect(await open().get("openai")).to.equal("sk-one");
    expect(await open().get("OTHER_KEY")).to.equal("zwölf €");
    expect(await open().get("nobody")).to.equal(undefined);
    expect(await open().list()).to.deep.equal([
      { name: "OTHER_KEY", place: "file" },
      { name: "openai", place: "file" },
    ]);
    expect(await open().delete("openai")).to.equal(true);
    expect(await open().delete("openai")).to.equal(false);
    expect(await open().get("openai")).to.equal(undefined);
  });

  it("writes nothing readable, and files that only their user can read", async () => {
    await open().set("openai", "sk-readable");
    const text = readFileSync(file, "utf8");
    expect(text).to.include("openai");
    expect(text).to.not.include("sk-readable");
    expect(text).to.not.include(Buffer.from("sk-readable").toString("base64"));
    for (const written of [file, key]) expect(statSync(written).mode & 0o777).to.equal(0o600);
  });

  it("seals the same secret differently each time", async () => {
    await open().set("a", "the same");
    const before = readFileSync(file, "utf8");
    await open().set("a", "the same");
    expect(readFileSync(file, "utf8")).to.not.equal(before);
  });

  for (const name of ["", "1st", "a b", "../x", "__proto__", "a\nb", "x".repeat(101)])
    it(`refuses the name ${JSON.stringify(name).slice(0, 20)}`, async () => {
      expect(await failure(open().set(name, "value"))).to.have.property("code", "invalid_value");
      expect(await open().list()).to.deep.equal([]);
    });

  it("refuses an empty secret", async () => {
    expect(await failure(open().set("a", ""))).to.have.property("code", "invalid_value");
  });

  it("keeps both when two processes set at once", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `key${index}`);
    await Promise.all(names.map((name) => open().set(name, `value of ${name}`)));
    expect((await open().list()).map(({ name }) => name)).to.have.members(names);
    for (const name of names) expect(await open().get(name)).to.equal(`value of ${name}`);
  });

  it("refuses a key that others can read, and one that is missing", async () => {
    await open().set("a", "value-a");
    chmodSync(key, 0o644);
    expect((await failure(open().get("a"))).message).to.include("chmod 600");
    rmSync(key);
    expect((await failure(open().get("a"))).message).to.include("is missing");
  });

  it("takes the key that systemd hands over, as bytes or in base64", async () => {
    const credentials = path.join(folder, "credentials");
    const bytes = Buffer.alloc(32, 7);
    const { mkdirSync } = await import("node:fs");
    mkdirSync(credentials);
    writeFileSync(path.join(credentials, "secret.key"), bytes);
    const handed = { credentialsDirectory: credentials };
    await open(handed).set("a", "value-a");
    writeFileSync(path.join(credentials, "secret.key"), `${bytes.toString("base64")}\n`);
    expect(await open(handed).get("a")).to.equal("value-a");
    writeFileSync(path.join(credentials, "secret.key"), "short");
    expect((await failure(open(handed).get("a"))).message).to.include("no key of 32 bytes");
  });

  it("says what to do with a file that is damaged", async () => {
    await open().set("a", "value-a");
    writeFileSync(file, "{ half");
    expect(await failure(open().get("a"))).to.include({ code: "storage_unavailable" });
    expect((await failure(open().set("b", "x"))).message).to.include("Restore it from a backup");
    expect(readFileSync(file, "utf8")).to.equal("{ half");
  });

  it("goes to the system's key store where it works, and remembers which", async () => {
    const store = fakeKeyring();
    const secrets = open({ store: "auto" }, store);
    expect(await secrets.set("a", "value-a")).to.equal("keyring");
    expect([...store.kept]).to.deep.equal([["a", "value-a"]]);
    expect(readFileSync(file, "utf8")).to.not.include("value-a");
    expect(await open({ store: "file" }, store).get("a")).to.equal("value-a");
    expect(await open({ store: "file" }, store).set("a", "value-b")).to.equal("file");
    expect([...store.kept]).to.deep.equal([]);
    expect(await open({ store: "auto" }, store).get("a")).to.equal("value-b");
  });

  it("takes the file where the key store refuses or loses, unless it must not", async () => {
    const refusing = fakeKeyring(() => false);
    expect(await open({ store: "auto" }, refusing).set("a", "value-a")).to.equal("file");
    const error = await failure(open({ store: "keyring" }, refusing).set("b", "value-b"));
    expect(error.message).to.include("secrets.store");
    expect((await open().list()).map(({ name }) => name)).to.deep.equal(["a"]);
  });

  it("says which secret a locked key store does not give", async () => {
    let isOpen = true;
    const store = fakeKeyring(() => isOpen);
    await open({ store: "auto" }, store).set("a", "value-a");
    isOpen = false;
    const { message } = await failure(open({ store: "auto" }, store).get("a"));
    expect(message).to.include("The secret a").and.include("locked").and.not.include("value-a");
  });

  it("leaves no half-written file behind, and takes over from a writer that died", async () => {
    await open().set("a", "value-a");
    copyFileSync(file, `${file}.new`);
    const { utimesSync, existsSync } = await import("node:fs");
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${file}.new`, longAgo, longAgo);
    await open().set("b", "value-b");
    expect(existsSync(`${file}.new`)).to.equal(false);
    expect(await open().get("a")).to.equal("value-a");
  });
});
