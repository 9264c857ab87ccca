import { type ReadonlySignal, signal } from "@preact/signals";
import type { Token, Tokens } from "marked";
import { type ComponentChildren, h } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Code } from "./code.tsx";
import { visible } from "./format.ts";
import type { Block, GrowingText } from "./growing.ts";

/** What reads Markdown: fetched once the page is painted, since it takes as long as all the rest. */
const reader = signal<typeof GrowingText | undefined>(undefined);
requestAnimationFrame(() =>
  setTimeout(() => void import("./growing.ts").then((it) => (reader.value = it.GrowingText))),
);

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** Where a link leads, if a person may be led there. */
function targetOf(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url !== undefined && /^(https?|mailto):$/.test(url.protocol) ? url : undefined;
}

/** Leads out of the page, and says where. */
export function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const url = targetOf(href);
  if (url === undefined) return <span>{children}</span>;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" title={visible(url.href)}>
      {children}
      {url.host !== "" && <span class="host"> {url.host}</span>}
    </a>
  );
}

/** A formula; its text until the code that draws it is here, and where it cannot be drawn. */
function Maths({ text, isBlock }: { readonly text: string; readonly isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    void import("temml").then(({ default: temml }) => {
      if (place.current === null) return;
      temml.render(text, place.current, { displayMode: isBlock, trust: false, throwOnError: false });
      setDrawn(true);
    });
  }, [text, isBlock]);
  const parts = [!isDrawn && <code>{text}</code>, <span ref={place} />];
  return isBlock ? <div class="maths-block">{parts}</div> : <span>{parts}</span>;
}

const drawItem = ({ task, tokens }: Tokens.ListItem) =>
  h("li", { dir: "auto", class: task ? "task" : undefined }, drawAll(tokens));

const drawCell = ({ header, align, tokens }: Tokens.TableCell) =>
  h(header ? "th" : "td", { style: { textAlign: align ?? "" } }, drawAll(tokens));

const drawRow = (cells: readonly Tokens.TableCell[]) => <tr>{cells.map(drawCell)}</tr>;

const forms: Readonly<Record<string, (token: never, isSettled: boolean) => ComponentChildren>> = {
  space: () => null,
  def: () => null,
  // Headings of a text lie below those of the page.
  heading: ({ depth, tokens }: Tokens.Heading) => h(`h${Math.min(6, depth + 2)}`, {}, drawAll(tokens)),
  list: ({ ordered, start, items }: Tokens.List) =>
    ordered ? <ol start={Number(start)}>{items.map(drawItem)}</ol> : <ul>{items.map(drawItem)}</ul>,
  checkbox: ({ checked }: Tokens.Checkbox) => (
    <input type="checkbox" checked={checked} disabled aria-label="Done" />
  ),
  table: ({ header, rows }: Tokens.Table) => (
    <div class="table" dir="auto" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>{drawRow(header)}</thead>
        <tbody>{rows.map(drawRow)}</tbody>
      </table>
    </div>
  ),
  code: ({ text, lang = "" }: Tokens.Code, isSettled) => (
    <Code code={text} language={lang.split(/\s/)[0] ?? ""} isSettled={isSettled} />
  ),
  html: ({ raw, block }: Tokens.HTML) => (block ? <p class="raw">{raw}</p> : raw),
  maths: ({ text, isBlock }: Tokens.Generic) => <Maths text={text as string} isBlock={isBlock as boolean} />,
  codespan: ({ text }: Tokens.Codespan) => <code>{visible(text)}</code>,
  link: ({ href, tokens }: Tokens.Link) => <Link href={href}>{drawAll(tokens)}</Link>,
  image: ({ href, text }: Tokens.Image) => <Link href={href}>{text || href}</Link>,
};

/** A token as the page shows it; text for what has no form of its own. */
function draw(token: Token, isSettled = true): ComponentChildren {
  const form = forms[token.type];
  if (form !== undefined) return form(token as never, isSettled);
  const { tokens, text } = token as Tokens.Text;
  const tag = token.type === "paragraph" ? "p" : token.type;
  const dir = tag === "blockquote" ? "auto" : undefined;
  if (/^(p|blockquote|strong|em|del|hr|br)$/.test(tag)) return h(tag, { dir }, tokens && drawAll(tokens));
  return tokens === undefined ? plain(text) : drawAll(tokens);
}

const drawAll = (tokens: readonly Token[]): ComponentChildren => tokens.map((token) => draw(token));

/** Drawn again only when its text has changed. */
function Drawn({ token, isSettled }: Block) {
  return <>{useMemo(() => draw(token, isSettled), [token.raw, isSettled])}</>;
}

type MarkdownProps = Readonly<{ text: ReadonlySignal<string>; isGrowing: boolean }>;

/** A text in Markdown that may still grow. Markup in it stays text. */
export function Markdown({ text, isGrowing }: MarkdownProps) {
  const Reader = reader.value;
  const growing = useMemo(() => Reader && new Reader(), [Reader]);
  return (
    <div class="prose">
      {growing === undefined && <p class="raw">{text}</p>}
      {growing?.read(text.value).map(({ token, isSettled }, index) => (
        <Drawn key={index} token={token} isSettled={isSettled || !isGrowing} />
      ))}
    </div>
  );
}
