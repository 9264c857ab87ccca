import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../support/pergola.ts";
import { promisedFamilies } from "../support/tool-table.ts";
import { verifies } from "../support/verifies.ts";

interface Listed {
  readonly name: string;
  readonly available: boolean;
  readonly unavailableReason: string | null;
}

/** What each family lacks on the machine of this test, as it says itself: what is missing, and what to do. */
const lacking: Readonly<Record<string, RegExp>> = {
  terminal_operations: /bwrap.*Install the program \(Debian: bubblewrap\)/s,
  memory_operations: /keeps no memory\. Add a plugin/,
  image_generation: /No image service is set\. Set tools\.image\.base_url/,
  version_control: /git is not installed\. Install git/,
};

/** Calls whose family works, but for them: another program is missing. */
const missing: readonly (readonly [name: string, args: object, said: RegExp])[] = [
  ["math_operations.compute", { code: "print(1)" }, /bubblewrap/],
  // Where the sandbox is required, git is not even looked for without it.
  [
    "code_intelligence.search_history",
    { query: "parser" },
    /no sandbox.*bubblewrap \(bwrap\) is not installed/,
  ],
];

/** bubblewrap is never looked for in PATH, so where it is, the service starts in a place that lacks it. */
const bubblewrap = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"].filter((file) =>
  existsSync(file),
);
const [hider = ""] = bubblewrap;
const withoutBubblewrap =
  hider === ""
    ? []
    : [
        hider,
        ...["--die-with-parent", "--dev-bind", "/", "/"],
        ...bubblewrap.flatMap((file) => ["--ro-bind", "/dev/null", file]),
        "--",
      ];

describe("a machine without programs and services", function () {
  this.timeout(60_000);
  let project: Project;
  let url: string;

  before(async function () {
    const [program = "", ...args] = [...withoutBubblewrap, process.execPath, "--version"];
    if (spawnSync(program, args).status !== 0) {
      process.stdout.write("skipped: bwrap may not make namespaces\n");
      this.skip();
    }
    project = await openProject();
    const nothing = path.join(project.folder, "bin");
    mkdirSync(nothing);
    project.settings({
      disabled: ["service-memory"],
      "tools.disabled": [],
      "tools.terminal.sandbox": "bubblewrap",
    });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await project
      .begin(["start", "--port", String(port)], {
        environment: { PATH: nothing },
        through: withoutBubblewrap,
      })
      .wrote("serving");
  });
  after(() => project?.close());

  const listed = async () =>
    ((await (await fetch(`${url}/api/tools`)).json()) as { readonly tools: readonly Listed[] }).tools;
  const call = async (tool: string, args: object) => {
    const body = JSON.stringify({ tool, arguments: args });
    const answer = await fetch(`${url}/debug/mcp/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return (await answer.json()) as { readonly error_code?: string; readonly toolResult: object };
  };

  verifies(
    ["tools:list", "T33"],
    "lists every family all the same, unavailable with the reason and the remedy",
    async () => {
      const families = await listed();
      expect(families.map(({ name }) => name)).to.deep.equal(Object.keys(promisedFamilies));
      const unavailable = families.filter(({ available }) => !available);
      expect(unavailable.map(({ name }) => name)).to.have.members(Object.keys(lacking));
      for (const { name, unavailableReason } of unavailable)
        expect(unavailableReason, name).to.match(lacking[name]!);
    },
  );

  verifies("T33", "answers a call to one with the same reason, and offers none to a model", async () => {
    const { error_code, toolResult } = await call("version_control.status", { repository_path: "." });
    expect(error_code).to.equal("unavailable");
    expect(JSON.stringify(toolResult)).to.match(lacking["version_control"]!);
    const body = JSON.stringify({ model: "default", messages: [{ role: "user", content: "Hi" }] });
    await fetch(`${url}/api/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { tools = [] } = project.model.requests.at(-1)?.body as {
      tools?: readonly { readonly function: { readonly name: string } }[];
    };
    expect(tools.map((tool) => tool.function.name)).to.have.members(
      Object.keys(promisedFamilies).filter((name) => !(name in lacking)),
    );
  });

  for (const [name, args, said] of missing)
    verifies("T33", `answers ${name} with what is missing`, async () => {
      const { error_code, toolResult } = await call(name, args);
      expect(error_code).to.equal("unavailable");
      expect(JSON.stringify(toolResult)).to.match(said);
    });

  it("goes on with the others", async () => {
    expect((await call("math_operations.calculate", { expression: "6*7" })).toolResult).to.include({
      success: true,
    });
  });
});
