// What stands around each page of the documentation: no script and no inline style, as the policy wants it.
import { escapeHtml as text } from "./markdown.mjs";

/** More entries than a reader takes in: then only the sections are listed. */
const manyHeadings = 40;

/** With a dot, which no heading's id has. */
const ids = { content: "site.content", pages: "site.pages" };

const link = ({ path, title }, attributes = "") => `<a href="${text(path)}"${attributes}>${text(title)}</a>`;

function navigation(pages, current) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const lists = groups.map((group) => {
    const id = `site.${group.toLowerCase()}`;
    const members = pages.filter((page) => page.group === group);
    const items = members.map(
      (page) => `<li>${link(page, page === current ? ' aria-current="page"' : "")}</li>`,
    );
    const list = `<ul aria-labelledby="${id}">\n${items.join("\n")}\n</ul>`;
    return `<p class="group" id="${id}">${group}</p>\n${list}`;
  });
  return `<nav id="${ids.pages}" class="pages" popover aria-label="Documentation">
${lists.join("\n")}
</nav>`;
}

function contents(headings) {
  const all = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const shown = all.length > manyHeadings ? all.filter(({ depth }) => depth === 2) : all;
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ id, title, depth }) => `<li class="depth-${depth}"><a href="#${text(id)}">${text(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary>
<ul>\n${items.join("\n")}\n</ul></details></nav>`;
}

function steps(pages, current) {
  const at = pages.indexOf(current);
  if (at < 0) return "";
  const [before, after] = [pages[at - 1], pages[at + 1]];
  const one = (page, rel, label) => {
    if (page === undefined) return "";
    const inner = `<span>${label}</span> ${text(page.title)}`;
    return `<a class="${rel}" rel="${rel}" href="${text(page.path)}">${inner}</a>`;
  };
  return `<nav class="steps" aria-label="Previous and next page">
${one(before, "prev", "Previous")}${one(after, "next", "Next")}
</nav>`;
}

/**
 * A whole page. `files`: the addresses of `style` and `icon`; `pages`: those of the navigation, with titles;
 * `page`: `{title, headline, html, headings}`, one of them or one that stands in no navigation.
 */
export function pageHtml(page, pages, files) {
  const name = page === pages[0] ? "Pergola: documentation" : `${page.title} · Pergola`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(name)}</title>
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
</head>
<body>
<a class="skip" href="#${ids.content}">Skip to the content</a>
<header>
<a class="home" href="/docs">Pergola <span>documentation</span></a>
<a href="/">Open the chat</a>
<button type="button" popovertarget="${ids.pages}">All pages</button>
</header>
${navigation(pages, page)}
<main id="${ids.content}" tabindex="-1">
${page.headline}
${contents(page.headings)}
<div class="text">
${page.html}</div>
${steps(pages, page)}
</main>
</body>
</html>
`;
}
