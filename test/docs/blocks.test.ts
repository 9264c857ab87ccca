import path from "node:path";
import { existsSync } from "node:fs";
import { expect } from "chai";
import type { JsonSchema, Properties, Route } from "@pergola/sdk";
import { compile } from "../../core/schema/validate.ts";
import { officialRoutes } from "../../scripts/pages/official-routes.ts";
import { settingsOf } from "../../scripts/pages/settings-page.ts";
import { filesBelow, read, root } from "../architecture/tree.ts";
import { settingsScene } from "../support/settings-scene.ts";
import { exampleTexts } from "./example-texts.ts";
import { fences, fencesOf, pages, placeOf, type Fence } from "./fences.ts";
import { commandFaults } from "./inline-commands.ts";
import { wayOf, type Way } from "./ways.ts";

type Routes = Awaited<ReturnType<typeof officialRoutes>>;

const having = (way: Way): readonly Fence[] => fences.filter((fence) => wayOf(fence) === way);

/** Reasons of blocks that are not run, each with how many there are. */
function reasonsOf(blocks: readonly Fence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { marker } of blocks)
    if (marker?.kind === "not run") counts.set(marker.text, (counts.get(marker.text) ?? 0) + 1);
  return counts;
}

interface Manifest {
  readonly id: string;
  readonly settings?: Properties;
}

/** The manifest that a block shows; where it is a part of one, within the one that its page shows before. */
function manifestOf({ page, text }: Fence): Manifest {
  const whole = having("manifest").find((fence) => fence.page === page);
  return { ...(JSON.parse(whole!.text) as Manifest), ...(JSON.parse(text) as Partial<Manifest>) };
}

describe("the blocks of the documentation", function () {
  this.timeout(30_000);
  const reasons = reasonsOf(fences);
  const count = [...reasons.values()].reduce((sum, one) => sum + one, 0);
  const list = [...reasons].map(([reason, number]) => `${reason} (${number})`).join(", ");
  let routes: Routes;
  before(async () => {
    routes = await officialRoutes();
  });

  it(`have a language and a way to be run or checked, but for ${count} of ${fences.length}: ${list}`, () => {
    expect(fences.filter((fence) => fence.language === "").map(placeOf)).to.deep.equal([]);
    expect(fences.filter((fence) => wayOf(fence) === undefined).map(placeOf)).to.deep.equal([]);
  });

  it("that have neither are found, and so are comments that lead to none", () => {
    const page = "<!-- not run: a reason -->\n```text\n```\n\n```toml\n```\n\n```\n```\n";
    expect(fencesOf("x.md", page).map(wayOf)).to.deep.equal(["none", undefined, undefined]);
    expect(() => fencesOf("x.md", "<!-- not run: x -->\n\n```sh\n```\n")).to.throw("x.md:1");
    expect(() => fencesOf("x.md", "<!-- not run -->\n```sh\n```\n")).to.throw("x.md:1");
    expect(() => fencesOf("x.md", "```sh\nls\n")).to.throw("never ends");
  });

  it("that another test runs name one that names their page", () => {
    const wrong = fences.filter(({ page, marker }) => {
      if (marker?.kind !== "run by") return false;
      return !existsSync(path.join(root, marker.text)) || !read(marker.text).includes(page);
    });
    expect(wrong.map(placeOf)).to.deep.equal([]);
  });

  it("that are requests in the reference fit their routes", () => {
    const faults = having("body").flatMap((fence) => {
      const { body } = routes.find(({ method, path: at }) => `${method} ${at}` === fence.section) as Route;
      return compile(body!)(JSON.parse(fence.text)).map(({ message }) => `${placeOf(fence)}: ${message}`);
    });
    expect(faults).to.deep.equal([]);
  });

  it("that are manifests are right, and those of an example are its own", () => {
    const check = compile(JSON.parse(read("sdk/manifest.schema.json")) as JsonSchema);
    const examples = exampleTexts("plugin.json").map((text) => JSON.parse(text) as Manifest);
    const found = having("manifest").map(manifestOf);
    expect(found.flatMap((manifest) => check(manifest))).to.deep.equal([]);
    for (const manifest of found) {
      const own = examples.find(({ id }) => id === manifest.id);
      if (own !== undefined) expect(manifest).to.deep.equal(own);
    }
    expect(found).to.have.length.above(5);
  });

  it("that are settings are taken by the host, with those of the plugin that the page makes", async () => {
    const scene = settingsScene();
    const official = settingsOf(root).map(({ settings }) => settings);
    const faults: string[] = [];
    for (const fence of having("settings")) {
      const manifests = having("manifest").filter(({ page }) => page === fence.page);
      const own = manifests.map((one) => manifestOf(one).settings ?? {});
      const file = scene.write(`pergola.config.${fence.language}`, fence.text);
      const options = { file, declared: [...official, ...own], secretsMayMiss: true };
      await scene
        .preferences(options)
        .catch((error: unknown) => faults.push(`${placeOf(fence)}: ${String(error)}`));
    }
    expect(faults).to.deep.equal([]);
    expect(having("settings")).to.have.length.above(8);
  });

  it("that are JSON of another kind are JSON", () => {
    for (const { text } of having("json")) expect(() => JSON.parse(text) as unknown).not.to.throw();
  });

  const texts = [...pages, ...["plugins", "sdk"].flatMap(filesBelow).filter((file) => file.endsWith(".md"))];
  /** What stands between backticks on the lines of a page. */
  const inlineOf = (page: string): readonly { readonly place: string; readonly code: string }[] =>
    read(page)
      .split("\n")
      .flatMap((line, at) =>
        [...line.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => ({ place: `${page}:${at + 1}`, code })),
      );

  it("and of its text name commands and options that there are", () => {
    const named = texts.flatMap(inlineOf).map(({ place, code }) => ({ place, line: code }));
    const lines = fences
      .filter(({ language }) => language === "sh")
      .flatMap((fence) => fence.text.split("\n").map((line) => ({ place: placeOf(fence), line })));
    const faults = [...named, ...lines].flatMap(({ place, line }) =>
      commandFaults(line).map((fault) => `${place}: ${fault}`),
    );
    expect(faults).to.deep.equal([]);
    expect(commandFaults("npx pergola plugin list")).to.have.length(1);
    expect(commandFaults("pergola plugins lst")).to.have.length(1);
    expect(commandFaults("pergola undo --lst # list")).to.have.length(1);
  });

  it("and of its text name routes that there are, with their queries", () => {
    const known = routes.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map((at) => ({
        ...route,
        pattern: new RegExp(`^${at.replaceAll(/\{\w+…\}/g, ".+").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      })),
    );
    const isThere = (code: string): boolean => {
      const [, method, address = "", queries = ""] = /^(\w+) ([^?\s]+)(?:\?(\S*))?/.exec(code) ?? [];
      const found = known.filter((route) => route.method === method && route.pattern.test(address));
      const names = queries
        .split("&")
        .filter(Boolean)
        .map((one) => one.split("=")[0]!);
      return found.some(({ query = {} }) => names.every((name) => name in query));
    };
    const ours = texts.filter((page) => page !== "plugins/tool-image-generation/README.md");
    const named = ours
      .flatMap(inlineOf)
      .filter(({ code }) => /^(GET|POST|PUT|PATCH|DELETE) \/[^…]*$/.test(code));
    expect(
      named.filter(({ code }) => !isThere(code)).map(({ place, code }) => `${place}: ${code}`),
    ).to.deep.equal([]);
    expect(named).to.have.length.above(30);
    expect(["GET /api/run", "GET /api/runs?stat=1"].filter(isThere)).to.deep.equal([]);
  });
});
