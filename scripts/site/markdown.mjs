// Markdown → HTML of one page: no HTML of the source stays, links lead to pages of the site.
import path from "node:path";
import hljs from "highlight.js/lib/common";
import { Marked } from "marked";

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it stands in HTML, in attributes too. */
export const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (one) => entities[one]);

/** A heading's text without marks. */
const plainText = (tokens) =>
  tokens.map((token) => (token.tokens === undefined ? token.text : plainText(token.tokens))).join("");

/** Gives each heading the id that GitHub gives it, so that links work in both places. */
function slugger() {
  const taken = new Map();
  return (text) => {
    const base = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const count = taken.get(base) ?? 0;
    taken.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

function highlighted(code, language) {
  if (hljs.getLanguage(language) === undefined) return escapeHtml(code);
  return hljs.highlight(code, { language }).value;
}

/**
 * Where a link leads: to an address elsewhere, to a page of the site, to a file of the sources, or nowhere.
 */
function targetOf(href, { page, pages, isSource }) {
  if (/^(https?|mailto):/i.test(href)) return { kind: "outside", href };
  const [file = "", anchor = ""] = href.split("#");
  const wanted = file === "" ? page.file : path.posix.join(path.posix.dirname(page.file), file);
  const plain = wanted.replace(/\/$/, "");
  const found = pages.find((one) => one.file === plain || one.file === `${plain}/README.md`);
  if (found !== undefined) return { kind: "page", to: found, anchor };
  return { kind: isSource(plain) ? "source" : "broken", file: plain };
}

/** The parts of a page that differ from what Marked makes by itself. */
function rendererOf(context, found) {
  const slug = slugger();
  const text = escapeHtml;
  return {
    html: ({ text: source }) => (/^<!--[^]*-->\s*$/.test(source) ? "" : text(source)),
    image({ href, text: description }) {
      const { file } = context.page;
      const picture = context.pictures.get(path.posix.join(path.posix.dirname(file), href));
      if (picture === undefined) found.broken.push(`${file}: ${href} is not a picture of docs/pictures`);
      if (description === "") found.broken.push(`${file}: ${href} needs words for those who do not see it`);
      if (picture === undefined) return "";
      const { address, width, height } = picture;
      return `<img src="${text(address)}" alt="${text(description)}" width="${width}" height="${height}">`;
    },
    code({ text: code, lang = "" }) {
      return `<pre><code>${highlighted(code, lang)}</code></pre>\n`;
    },
    heading({ tokens, depth }) {
      const [title, id] = [plainText(tokens), slug(plainText(tokens))];
      found.headings.push({ id, title, depth });
      const inner = this.parser.parseInline(tokens);
      if (depth === 1) {
        found.headlines.push(`<h1 id="${text(id)}">${inner}</h1>`);
        return "";
      }
      const label = text(`Link to the section ${title}`);
      const anchor = `<a class="anchor" href="#${text(id)}" aria-label="${label}">#</a>`;
      return `<h${depth} id="${text(id)}">${inner} ${anchor}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = targetOf(href, context);
      if (target.kind === "outside") return `<a href="${text(href)}" rel="noopener noreferrer">${inner}</a>`;
      if (target.kind === "page") {
        const { to, anchor } = target;
        found.links.push({ href, to, anchor });
        return `<a href="${text(to.path)}${anchor === "" ? "" : `#${text(anchor)}`}">${inner}</a>`;
      }
      if (target.kind === "broken") found.broken.push(`${context.page.file}: ${href} leads nowhere`);
      if (plainText(tokens).includes(target.file)) return inner;
      return `${inner} (<code>${text(target.file)}</code>)`;
    },
    /** Each cell names its column: on narrow screens they stand one below the other. */
    table({ header, rows }) {
      const titles = header.map((cell) => plainText(cell.tokens));
      const head = header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`);
      const body = rows.map((row) => {
        const cells = row.map((cell, column) => {
          const inner = this.parser.parseInline(cell.tokens);
          return `<td data-column="${text(titles[column] ?? "")}"><div>${inner}</div></td>`;
        });
        return `<tr>${cells.join("")}</tr>`;
      });
      return `<table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table>\n`;
    },
  };
}

/**
 * `{headline, html, title, headings, links, broken}` of a page; `html` is what follows its headline.
 * `context`: the page, all pages, `pictures` (`{address, width, height}` by file), and `isSource`, which
 * tells whether there is a file of the sources.
 */
export function renderMarkdown(source, context) {
  const found = { headings: [], headlines: [], links: [], broken: [] };
  const html = new Marked({ renderer: rendererOf(context, found) }).parse(source);
  const title = found.headings.find(({ depth }) => depth === 1)?.title;
  if (found.headlines.length !== 1)
    found.broken.push(`${context.page.file} needs one heading of the first level`);
  return { ...found, headline: found.headlines[0], html, title };
}
