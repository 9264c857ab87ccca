import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { temporaryFolder } from "@pergola/sdk/testing";
import { remoteExecution } from "../index.ts";
import { bench, localHost, operationNamed } from "./context.ts";
import { testHome } from "./home.ts";
import { noServer, openSshServer } from "./open-ssh-server.ts";

interface Manifest {
  readonly enabledByDefault: boolean;
  readonly provides: { readonly tools: Readonly<Record<string, readonly string[]>> };
  readonly settings: Readonly<Record<string, { readonly default: unknown; readonly "x-protected": boolean }>>;
}

const manifest = JSON.parse(readFileSync(new URL("../plugin.json", import.meta.url), "utf8")) as Manifest;
const advertised = remoteExecution.operations.filter(({ hidden }) => hidden !== true);

/** The strings among the arguments of an example. */
const texts = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((item) => texts(item))
    : [];
};

describe("remote_execution", () => {
  it("is off by default", () => {
    expect(manifest.enabledByDefault).to.equal(false);
  });

  it("trusts nobody and reaches nobody by default, and lets no remote caller change that", () => {
    expect(
      Object.entries(manifest.settings).map(([key, { default: value, "x-protected": isProtected }]) => [
        key,
        value,
        isProtected,
      ]),
    ).to.deep.equal([
      ["tools.remote.targets", {}, true],
      ["tools.remote.accept_new_hosts", false, true],
    ]);
  });

  it("T11: has an operation behind each bare name", () => {
    expect(Object.keys(remoteExecution.aliases ?? {})).to.deep.equal(
      manifest.provides.tools["remote_execution"],
    );
    for (const [alias, operation] of Object.entries(remoteExecution.aliases ?? {}))
      expect(operationNamed(operation).name).to.equal(alias);
  });

  it("T01: runs every operation", async function () {
    this.timeout(30_000);
    const missing = noServer();
    if (missing !== undefined) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    const [home, server] = [testHome(), await openSshServer()];
    try {
      home.put("known_hosts", server.knownLine);
      home.put("id_ed25519", server.userKey.secret);
      const here = bench(server.port);
      const folder = path.join(temporaryFolder(), "made");
      await here.context.files.write("a.txt", "a");
      const calls: Readonly<Record<string, readonly [args: object, shape: readonly string[]]>> = {
        execute_remote: [
          { command: "true" },
          ["host", "exitCode", "stdout", "stderr", "duration", "outputFiles"],
        ],
        execute_parallel: [{ targets: [localHost], command: "true" }, ["results", "succeeded", "failed"]],
        check_remote: [{}, ["host", "reachable", "system", "checks"]],
        prepare_remote: [{ install_dir: folder }, ["host", "ready", "checks"]],
        transfer_files: [{ files: ["a.txt"], directory: folder }, ["host", "files"]],
        retrieve_files: [{ files: [`${folder}/a.txt`], directory: "back" }, ["host", "files"]],
        cleanup_remote: [{ install_dir: folder }, ["host", "removed"]],
      };
      expect(Object.keys(calls)).to.have.members(remoteExecution.operations.map(({ name }) => name));
      for (const [name, [args, shape]] of Object.entries(calls))
        expect(Object.keys(await here.data<object>(name, { ...args })), name).to.deep.equal(shape);
      expect(await here.context.files.readText("back/a.txt")).to.equal("a");
    } finally {
      await server.stop();
      home.restore();
    }
  });

  it("is asked about every time, and never repeated on its own where that does harm", () => {
    const once = new Set(["execute_remote", "execute_parallel"]);
    for (const { name, effect, place, recovery } of remoteExecution.operations) {
      expect(effect, name).to.equal(name === "cleanup_remote" ? "destructive" : "execute");
      expect([place, recovery], name).to.deep.equal(["external", once.has(name) ? "once" : "repeat"]);
    }
  });

  it("gives each call more time than its command may take", () => {
    for (const name of ["execute_remote", "execute_parallel"]) {
      const { parameters, timeoutSeconds = 0 } = operationNamed(name);
      expect(timeoutSeconds, name).to.be.above(Number(parameters["timeout"]?.maximum));
    }
  });

  it("A10: marks the key's path for the policy", () => {
    for (const { name, parameters } of remoteExecution.operations)
      expect(parameters["ssh_key"]?.format, name).to.equal("path");
  });

  it("describes every parameter in the same words wherever it has the same name", () => {
    const words = new Map<string, Set<unknown>>();
    for (const { parameters } of advertised)
      for (const [key, { description }] of Object.entries(parameters))
        words.set(key, (words.get(key) ?? new Set()).add(description));
    expect([...words].filter(([, descriptions]) => descriptions.size !== 1)).to.deep.equal([]);
  });

  for (const { name, examples = [], parameters, required } of advertised)
    it(`gives varied examples of ${name}, whose values stand in the phrase, and a card`, () => {
      expect(new Set(examples.map(({ say }) => say)).size).to.be.at.least(4);
      for (const example of examples) {
        expect(Object.keys(example.arguments).filter((key) => parameters[key] === undefined)).to.deep.equal(
          [],
        );
        expect(required.filter((key) => example.arguments[key] === undefined)).to.deep.equal([]);
        for (const text of texts(example.arguments)) expect(example.say).to.contain(text);
      }
      const display = operationNamed(name).display as unknown as (args: unknown) => unknown;
      const defaults = Object.fromEntries(
        Object.entries(parameters).map(([key, schema]) => [key, schema.default]),
      );
      expect(display({ ...defaults, ...examples[0]?.arguments })).to.include.keys(
        "actionDisplayName",
        "summary",
        "details",
        "icon",
      );
    });
});
