import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { read, root } from "../architecture/tree.ts";
import { shown } from "../support/chat-page.ts";
import { scenesInBrowser } from "../support/page-scene.ts";
import { frame, openPictureScene, type PictureScene } from "../support/picture-scene.ts";

/** The pictures, below `docs/pictures`, and the pages that show them. */
const pictures = {
  chat: "README.md",
  "chat-dark": "docs/getting-started.md",
  memory: "docs/memory.md",
  models: "docs/getting-started.md",
} as const;
type Name = keyof typeof pictures;

interface Script {
  readonly sizeOfPng: (bytes: Buffer) => { readonly width: number; readonly height: number };
}

const script = new URL("../../scripts/site/png.mjs", import.meta.url).href;
const names = Object.keys(pictures) as readonly Name[];
const fileOf = (name: Name): string => path.join(root, "docs", "pictures", `${name}.png`);

/** Set by `npm run pictures`, which makes them anew. */
const isMaking = process.env["PERGOLA_PICTURES"] === "1";

describe("the pictures of the page (package chromium)", function () {
  this.timeout(120_000);
  const openScene = scenesInBrowser();
  let scene: PictureScene | undefined;
  afterEach(() => scene?.close());

  it("are of what the page shows: an approval with its change, memory, models", async () => {
    const { page, shoot, notes } = (scene = await openPictureScene(openScene));
    const take = async (name: Name): Promise<void> => {
      if (isMaking) await shoot(fileOf(name));
    };
    await page.goto("/");
    await page.getByRole("link", { name: /^Trip to Graz/ }).click();
    await shown(page).getByText("When does the concert begin?").waitFor();
    const field = page.getByRole("textbox", { name: "Message" });
    await field.fill("My train leaves a day later, on Saturday. Please put notes.md right.");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
    await card.locator(".diff").waitFor();
    await take("chat");
    await page.emulateMedia({ colorScheme: "dark" });
    await take("chat-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await card.getByRole("button", { name: "Write 1 file" }).click();
    await shown(page).getByText("1 file changed").waitFor();
    expect(notes()).to.include("Train: Saturday, 4 May");
    // It moves the links above it.
    await shown(page).getByText("this month").waitFor();

    await page.getByRole("link", { name: "Memory" }).click();
    await shown(page).getByText("5 remembered").waitFor();
    await take("memory");
    await page.getByRole("link", { name: "Models" }).click();
    await shown(page).getByText("LM Studio runs here").waitFor();
    await take("models");
  });
});

describe("the files of the pictures", () => {
  for (const name of names)
    it(`${name}: is a small PNG of its size, shown with words by ${pictures[name]}`, async () => {
      const { sizeOfPng } = (await import(script)) as Script;
      const bytes = readFileSync(fileOf(name));
      const { width, height, scale } = frame;
      expect(sizeOfPng(bytes)).to.deep.equal({ width: width * scale, height: height * scale });
      expect(bytes.length).to.be.below(150_000);
      const page = pictures[name];
      const link = path.posix.relative(path.posix.dirname(page), `docs/pictures/${name}.png`);
      const [, words = ""] = new RegExp(`!\\[([^\\]]*)\\]\\(${link}\\)`).exec(read(page)) ?? [];
      expect(words.split(" ").length).to.be.above(4);
    });

  it("are those that the test makes, and no others", () => {
    const files = readdirSync(path.join(root, "docs/pictures"));
    expect(files).to.have.members(names.map((name) => `${name}.png`));
  });
});
