import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds against WCAG 2.2 A and AA. It passes the policy that keeps all other scripts out. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const { result } = await session.send("Runtime.evaluate", {
    expression: `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join("; "))))`,
    awaitPromise: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as readonly string[];
}

/** What is wider than the window, but for what scrolls by itself. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
