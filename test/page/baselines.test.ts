import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { field, log, openCard, shown, waitingView } from "../support/chat-page.ts";
import { compactPng } from "../support/compact-png.ts";
import { differenceFrom } from "../support/compare-pictures.ts";
import { scenesInBrowser } from "../support/page-scene.ts";
import { openPictureScene, type PictureScene } from "../support/picture-scene.ts";
import { withoutVarying } from "../support/without-varying.ts";

/** Set by `npm run baselines`, which makes them anew: look at what has changed in them. */
const isMaking = process.env["PERGOLA_BASELINES"] === "1";

const folder = path.join(import.meta.dirname, "baselines");
const factsFile = path.join(folder, "facts.json");

/** Debian's package `fonts-dejavu-core`, which looks alike everywhere. */
const font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

const modes = {
  light: { width: 1120, height: 700, colorScheme: "light" },
  dark: { width: 1120, height: 700, colorScheme: "dark" },
  narrow: { width: 360, height: 720, colorScheme: "light" },
} as const;

/** Where something stands, in pixels, and the roles and names of all. */
interface Facts {
  readonly boxes: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly roles: string;
}

/** What the pictures were made with: where another version draws them, facts are compared in their place. */
interface Kept {
  readonly chromium: string;
  readonly views: Readonly<Record<string, Facts>>;
}

const kept = (existsSync(factsFile) ? JSON.parse(readFileSync(factsFile, "utf8")) : { views: {} }) as Kept;

/** The page in fonts that are the same everywhere, without what differs from run to run. */
const steady = `(() => {
  document.documentElement.style.setProperty("--text", "DejaVu Sans");
  document.documentElement.style.setProperty("--mono", "DejaVu Sans Mono");
  const changing = [
    [/\\b\\d\\d:\\d\\d\\b/g, "14:31"],
    [/\\b\\d{1,2} \\w{3}(?=, 14:31)/g, "3 May"],
    [/(?<!\\d)\\d:\\d\\d(?= ·|$)/g, "0:07"],
    [/\\b[\\d.]+ m?s\\b/g, "18 ms"],
    [/\\b[\\d,]+ tokens\\b/g, "1,200 tokens"],
    [/Context \\d+ %/g, "Context 41 %"],
    [/127\\.0\\.0\\.1:\\d+/g, "127.0.0.1:11434"],
    [/\\/\\S*pergola-\\S*?\\/graz/g, "/home/ada/graz"],
  ];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    for (const [pattern, text] of changing)
      if (pattern.test(walker.currentNode.data))
        walker.currentNode.data = walker.currentNode.data.replace(pattern, text);
})()`;

const boxes = `Object.fromEntries(
  ["nav", "main", "h1", ".composer", ".message", ".approval", ".answers", ".line", ".search"].map((selector) => [
    selector,
    [...document.querySelectorAll(selector)].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }),
  ]),
)`;

/** What stands more than four pixels elsewhere, or is not what it was. */
function movedIn(name: string, { boxes: found, roles }: Facts): readonly string[] {
  const { boxes: wanted = {}, roles: wantedRoles } = kept.views[name] ?? {};
  const moved = Object.keys({ ...wanted, ...found }).filter((selector) => {
    const [one = [], other = []] = [wanted[selector], found[selector]];
    const isNear = (box: readonly number[], at: number): boolean =>
      box.every((value, side) => Math.abs(value - (other[at]?.[side] ?? Number.NaN)) <= 4);
    return one.length !== other.length || !one.every(isNear);
  });
  return [...moved, ...(roles === wantedRoles ? [] : ["roles"])].map((what) => `${name}: other ${what}`);
}

describe("how the page looks (packages chromium, fonts-dejavu-core)", function () {
  this.timeout(180_000);
  before(function () {
    if (!existsSync(font)) this.skip();
  });
  const openScene = scenesInBrowser();
  let scene: PictureScene | undefined;
  afterEach(() => scene?.close());

  it("is as in its pictures: eight views, light, dark and narrow", async () => {
    scene = await openPictureScene(openScene, { ...modes.light, scale: 1 });
    const { page } = scene;
    const chromium = page.context().browser()?.version().split(".")[0] ?? "";
    const made: Record<string, Facts> = {};
    const faults: string[] = [];

    const shoot = async (): Promise<Buffer> => {
      await page.evaluate(steady);
      return page.screenshot({ animations: "disabled", caret: "hide" });
    };
    const factsOf = async (): Promise<Facts> => {
      await page.evaluate(steady);
      const roles = withoutVarying(await page.locator("#page").ariaSnapshot());
      return { boxes: await page.evaluate(boxes), roles };
    };
    /** Looks again as long as something still moves: a clock may go on between two steps. */
    const faultsOf = async (name: string): Promise<readonly string[]> => {
      const look = async (): Promise<readonly string[]> => {
        if (chromium !== kept.chromium) return movedIn(name, await factsOf());
        const difference = differenceFrom(path.join(folder, `${name}.png`), await shoot());
        return difference === undefined ? [] : [difference];
      };
      let found = await look();
      for (let tries = 0; found.length > 0 && tries < 4; tries += 1) found = await look();
      return found;
    };
    const take = async (view: string): Promise<void> => {
      for (const [mode, { colorScheme, ...size }] of Object.entries(modes)) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const name = `${view}-${mode}`;
        if (!isMaking) faults.push(...(await faultsOf(name)));
        if (!isMaking) continue;
        made[name] = await factsOf();
        writeFileSync(path.join(folder, `${name}.png`), compactPng(await shoot()));
      }
      await page.setViewportSize(modes.light);
      await page.emulateMedia({ colorScheme: "light" });
    };
    await views(page, take);
    if (isMaking) writeFileSync(factsFile, `${JSON.stringify({ chromium, views: made }, null, 1)}\n`);
    expect(faults).to.deep.equal([]);
  });
});

/** Goes through the views; `take` is called in each as soon as it is whole. */
async function views(page: Page, take: (view: string) => Promise<void>): Promise<void> {
  await page.goto("/");
  await page.getByRole("combobox", { name: "Model" }).waitFor();
  await page.getByRole("link", { name: /^Trip to Graz/ }).waitFor();
  await take("new");
  await page.getByRole("link", { name: /^Trip to Graz/ }).click();
  await shown(page).getByText("When does the concert begin?").waitFor();
  await field(page).fill("My train leaves a day later, on Saturday. Please put notes.md right.");
  await page.keyboard.press("Enter");
  const card = await openCard(page);
  await card.locator(".diff").waitFor();
  await take("approval");
  await page.goto("/#/waiting");
  const waiting = await openCard(page, waitingView(page));
  await waiting.locator(".diff").waitFor();
  await take("waiting");
  await waiting.getByRole("button", { name: "Write 1 file" }).click();
  await page.goto("/#/");
  await page.getByRole("link", { name: /^Trip to Graz/ }).click();
  await log(page).getByText("1 file changed").waitFor();
  await take("answer");
  await page.goto("/#/runs");
  await page
    .locator(".line")
    .getByText(/^Done · /)
    .waitFor();
  await take("runs");
  await page.goto("/#/memory");
  await shown(page).getByText("5 remembered").waitFor();
  await take("memory");
  await page.goto("/#/models");
  await shown(page).getByText("LM Studio runs here").waitFor();
  const ollama = page.locator(".line").filter({ has: page.getByText("Ollama", { exact: true }) });
  await ollama.getByText("2 models").waitFor();
  await take("models");
  await page.goto("/#/settings");
  await page.getByLabel("default_model", { exact: true }).waitFor();
  await take("settings");
}
