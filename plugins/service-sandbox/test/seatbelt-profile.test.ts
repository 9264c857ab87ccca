import { expect } from "chai";
import type { SandboxPlan } from "@pergola/sdk/host";
import { namePatterns } from "../seatbelt/name-patterns.ts";
import { seatbeltLauncher } from "../seatbelt/seatbelt-launcher.ts";
import { seatbeltProfile } from "../seatbelt/seatbelt-profile.ts";

const limits = {
  dataBytes: 2 ** 29,
  fileBytes: 2 ** 24,
  scratchBytes: 0,
  processes: 1,
  files: 64,
} as const;
const plan = (kind: SandboxPlan["kind"], more: Partial<SandboxPlan> = {}): SandboxPlan => ({
  ...{ kind, read: [], write: [], keep: [], network: "none", limits },
  ...more,
});
const scene = { program: "/opt/node", scratch: undefined, proxyPort: undefined };

/** Each rule of a profile: parentheses must match, outside of texts. */
function rulesOf(text: string): readonly string[] {
  const rules: string[] = [];
  let [depth, start, isText] = [0, 0, false];
  for (const [at, character] of [...text].entries()) {
    if (character === '"') isText = !isText;
    if (isText) continue;
    if (character === "(" && depth++ === 0) start = at;
    if (character === ")" && --depth === 0) rules.push(text.slice(start, at + 1));
  }
  expect([depth, isText]).to.deep.equal([0, false]);
  return rules;
}

describe("the profile of sandbox-exec", () => {
  it("gives a plugin its own files, and neither programs nor a network", () => {
    const { text, parameters } = seatbeltProfile(plan("plugin", { read: ["/data/plugin"] }), scene);
    expect(parameters).to.deep.equal({ PROGRAM: "/opt/node", P1: "/data/plugin" });
    expect(rulesOf(text)).to.include.members([
      "(version 1)",
      "(deny default)",
      '(allow process-exec file-read* file-map-executable (literal (param "PROGRAM")))',
      '(allow file-read* file-map-executable (subpath (param "P1")))',
      "(deny process-fork)",
      "(deny network*)",
    ]);
    expect(text).to.not.match(/allow (network|process-fork|process-exec\))|mach-lookup|"\/usr"|"\/bin"/);
    expect(text).to.not.match(/allow [^()]*file-write\*/);
  });

  it("lets a program reach the port of its proxy, and nothing else", () => {
    const { text } = seatbeltProfile(plan("program"), { ...scene, proxyPort: 41_234 });
    const network = rulesOf(text).filter((rule) => rule.includes("network"));
    expect(network).to.deep.equal([
      "(deny network*)",
      '(allow network-outbound (remote ip "localhost:41234"))',
    ]);
    const none = seatbeltProfile(plan("program"), scene);
    expect(rulesOf(none.text).at(-1)).to.equal("(deny network*)");
  });

  it("never reads a path as a rule, whatever is in it", () => {
    const hostile = [
      '/tmp/a") (allow default) ("',
      "/tmp/b)(allow network*)",
      "/tmp/c\n(allow file-write*)\n",
      '/tmp/d\\" #"x"',
      "/tmp/e; comment",
    ];
    const all = { read: hostile, write: hostile, keep: hostile, hide: hostile };
    const { text, parameters } = seatbeltProfile(plan("program", all), {
      ...scene,
      program: '/tmp/f" (allow default)',
      scratch: '/tmp/g" (allow default)',
    });
    const usual = seatbeltProfile(
      plan("program", { ...all, read: [], write: [], keep: [], hide: [] }),
      scene,
    );
    expect(text).to.not.match(/\/tmp|allow default|allow network\*/);
    expect(Object.values(parameters)).to.include.members(hostile);
    expect(rulesOf(text).length).to.be.within(rulesOf(usual.text).length, rulesOf(usual.text).length + 5);
  });

  it("keeps what must not change, after all that is given, and hides after that", () => {
    const { text, parameters } = seatbeltProfile(
      plan("program", {
        write: ["/work"],
        keep: ["/work/a/b/config"],
        keepNames: [".git/hooks", ".envrc"],
        hide: ["/work/data"],
      }),
      scene,
    );
    const key = (file: string): string =>
      Object.entries(parameters).find(([, value]) => value === file)?.[0] ?? "none";
    const rules = rulesOf(text);
    const after = rules.slice(rules.findIndex((rule) => rule.includes(`(param "${key("/work")}")`)) + 1);
    const folders = ["/work/a", "/work/a/b"].map((file) => `(literal (param "${key(file)}"))`).join(" ");
    expect(after.slice(0, 2)).to.deep.equal([
      `(deny file-write* (subpath (param "${key("/work/a/b/config")}")))`,
      `(deny file-write* ${folders})`,
    ]);
    expect(after[2]).to.equal(
      `(deny file-write* (require-all (subpath (param "${key("/work")}")) ` +
        '(regex #"/[.][gG][iI][tT]/[hH][oO][oO][kK][sS](/|$)")))',
    );
    expect(after).to.have.length(7);
    expect(after.at(-2)).to.equal(`(deny file-read* file-write* (subpath (param "${key("/work/data")}")))`);
  });

  describe("patterns of kept names", () => {
    const isKept = (name: string, file: string): boolean =>
      namePatterns([name]).some((pattern) => new RegExp(pattern).test(file));

    it("meet the name at any depth, in any case, there or not, and what it begins with", () => {
      for (const file of ["/w/.git/hooks", "/w/a/.GIT/Hooks/pre-commit", "/w/.git"])
        expect(isKept(".git/hooks", file), file).to.equal(true);
      for (const file of ["/w/.git/index", "/w/x.git/hooks", "/w/.git/hooksy", "/w/agit/hooks"])
        expect(isKept(".git/hooks", file), file).to.equal(false);
      expect(isKept(".yarnrc*", "/w/.yarnrc.yml")).to.equal(true);
      expect(isKept(".yarnrc*", "/w/.yarn/rc")).to.equal(false);
    });

    it("cannot be ended by a name", () => {
      for (const name of ['a"))(allow default)', "a\n(allow default)", "a)|(.", "a\\", "ü", "[x]"]) {
        const patterns = namePatterns([name]);
        for (const pattern of patterns) expect(pattern, name).to.match(/^[/\w.*+[\]^$()| -]+$/);
        expect(patterns.join("")).to.not.include("(allow");
        expect(isKept(name, `/w/${name}`), name).to.equal(true);
      }
    });
  });
});

describe("the launcher of sandbox-exec", () => {
  it("passes paths as parameters, and says that memory is only watched", async () => {
    const launcher = seatbeltLauncher(true);
    expect(launcher.state).to.deep.include({ works: true, inPlace: true });
    expect(launcher.state.works && launcher.state.fences).to.include("memory watched, not limited");
    const read = ['/none/a" (allow default)\n'];
    const { program, args } = await launcher.commandLine(plan("plugin", { read }), "/none/node", ["-v"]);
    expect(program).to.equal("/bin/sh");
    expect(args[1]).to.include("ulimit -n 64").and.not.include("ulimit -d");
    const line = args.slice(3);
    expect(line[0]).to.equal("/usr/bin/sandbox-exec");
    expect(line).to.include(`P1=${read[0]}`).and.include("PROGRAM=/none/node");
    expect(line.slice(-3)).to.deep.equal(["--", "/none/node", "-v"]);
  });

  it("refuses a plan that shows a file at another path, and is none where the program is missing", async () => {
    const moved = plan("plugin", { read: [{ from: "/a", to: "/b" }] });
    const failure = await Promise.resolve()
      .then(() => seatbeltLauncher(true).commandLine(moved, "/x", []))
      .catch((error: Error) => error.message);
    expect(failure).to.equal("sandbox-exec shows files at their own paths only");
    expect(seatbeltLauncher(false).state).to.deep.include({ works: false });
  });
});
