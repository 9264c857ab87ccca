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

/**
 * Buttons, lists and fields that are too small for a finger (44 pixels), or for a pointer (24): by what axe
 * leaves out as well, since it counts the room around them. Links within a text are as high as its lines.
 */
export const smallTargets = (page: Page, touch = false): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const least = ${touch ? 44 : 24};
    return [...document.querySelectorAll("button, select, nav a, summary, input:not([type=file])")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".hidden"))
      .filter((one) => one.closest("label") === null || !one.matches("[type=checkbox]"))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < least || height < least)
      .map(([one, { width, height }]) =>
        "too small, " + Math.round(width) + " × " + Math.round(height) + ": " + one.outerHTML.slice(0, 120));
  })()`);
