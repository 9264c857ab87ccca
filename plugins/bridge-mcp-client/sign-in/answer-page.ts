import type { EndpointAnswer } from "@pergola/sdk";
import { visibleText as visible } from "@pergola/sdk/host";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => visible(text).replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? "");

/** A page of two lines for the person whose browser has come back. */
export const answerPage = (status: 200 | 400, title: string, text: string): EndpointAnswer => ({
  status,
  contentType: "text/html; charset=utf-8",
  text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</html>
`,
});
