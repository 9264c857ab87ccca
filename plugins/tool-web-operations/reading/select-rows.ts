import type { PageElement } from "./dom.ts";
import { parsePage } from "./parse-page.ts";
import type { Rows } from "./read-tasks.ts";
import { oneLine } from "./tidy.ts";

/** One record for each element that matches `row`. */
export function selectRows(html: string, { row, fields }: Rows): readonly Readonly<Record<string, string>>[] {
  const valueOf = (element: PageElement, name: string): string => {
    const [selector = "", attribute] = name.split("@");
    const found = element.querySelector(selector);
    const text = attribute === undefined ? found?.textContent : found?.getAttribute(attribute);
    return oneLine(text ?? "");
  };
  return [...parsePage(html).querySelectorAll(row)].map((element) =>
    Object.fromEntries(Object.entries(fields).map(([name, selector]) => [name, valueOf(element, selector)])),
  );
}
