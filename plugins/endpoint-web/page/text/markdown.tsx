import type { ReadonlySignal } from "@preact/signals";
import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Code } from "./code.tsx";
import { visible } from "./format.ts";
import { GrowingText, type Block } from "./growing.ts";

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** Where a link leads, if a person may be led there. */
function targetOf(href: string): URL | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url !== undefined && /^(https?|mailto):$/.test(url.protocol) ? url : undefined;
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
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
    let isGone = false;
    void import("temml").then(({ default: temml }) => {
      if (isGone || place.current === null) return;
      temml.render(text, place.current, { displayMode: isBlock, trust: false, throwOnError: false });
      setDrawn(true);
    });
    return () => ((isGone = true), undefined);
  }, [text, isBlock]);
  return (
    <span class={isBlock ? "maths-block" : "maths"}>
      {!isDrawn && <code>{text}</code>}
      <span ref={place} />
    </span>
  );
}

const inlines = (tokens: readonly Token[] = []): ComponentChildren => tokens.map(inline);

const inlineForms: Readonly<Record<string, (token: Tokens.Generic) => ComponentChildren>> = {
  strong: ({ tokens }) => <strong>{inlines(tokens)}</strong>,
  em: ({ tokens }) => <em>{inlines(tokens)}</em>,
  del: ({ tokens }) => <del>{inlines(tokens)}</del>,
  codespan: ({ text }) => <code>{visible(plain(text as string))}</code>,
  br: () => <br />,
  link: ({ href, tokens }) => <Link href={href as string}>{inlines(tokens)}</Link>,
  image: ({ href, text }) => <Link href={href as string}>{(text as string) || (href as string)}</Link>,
  maths: ({ text, isBlock }) => <Maths text={text as string} isBlock={isBlock as boolean} />,
  escape: ({ text }) => plain(text as string),
};

function inline(token: Token): ComponentChildren {
  const form = inlineForms[token.type];
  if (form !== undefined) return form(token);
  const { tokens, text, raw } = token as Tokens.Text;
  return tokens === undefined ? plain(token.type === "html" ? raw : text) : inlines(tokens);
}

function List({ ordered, start, items }: Tokens.List) {
  const Name = ordered ? "ol" : "ul";
  return (
    <Name {...(ordered && start !== 1 && start !== "" ? { start } : {})}>
      {items.map((item) => (
        <li class={item.task ? "task" : undefined}>
          {item.task && <input type="checkbox" checked={item.checked ?? false} disabled aria-label="Done" />}
          {blocks(item.tokens)}
        </li>
      ))}
    </Name>
  );
}

function Table({ header, rows }: Tokens.Table) {
  const cell = (name: "th" | "td") => (one: Tokens.TableCell) => {
    const Name = name;
    return <Name style={{ textAlign: one.align ?? "" }}>{inlines(one.tokens)}</Name>;
  };
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>{header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Headings of a text lie below those of the page. */
function Heading({ depth, tokens }: Tokens.Heading) {
  const Name = `h${Math.min(6, depth + 2)}` as "h3";
  return <Name>{inlines(tokens)}</Name>;
}

const blockForms: Readonly<Record<string, (token: never, isSettled: boolean) => ComponentChildren>> = {
  space: () => null,
  hr: () => <hr />,
  heading: (token: Tokens.Heading) => <Heading {...token} />,
  paragraph: ({ tokens }: Tokens.Paragraph) => <p>{inlines(tokens)}</p>,
  text: (token: Tokens.Text) => inline(token),
  blockquote: ({ tokens }: Tokens.Blockquote) => <blockquote>{blocks(tokens)}</blockquote>,
  list: (token: Tokens.List) => <List {...token} />,
  table: (token: Tokens.Table) => <Table {...token} />,
  code: ({ text, lang = "" }: Tokens.Code, isSettled) => (
    <Code code={text} language={lang.split(/\s/)[0] ?? ""} isSettled={isSettled} />
  ),
  html: ({ raw }: Tokens.HTML) => <p class="raw">{raw}</p>,
  maths: ({ text }: Tokens.Generic) => <Maths text={text as string} isBlock />,
  def: () => null,
};

function block(token: Token, isSettled: boolean): ComponentChildren {
  const form = blockForms[token.type];
  return form === undefined ? <p>{token.raw}</p> : form(token as never, isSettled);
}

const blocks = (tokens: readonly Token[]): ComponentChildren => tokens.map((token) => block(token, true));

/** Drawn again only when its text has changed. */
function Drawn({ token, isSettled }: Block) {
  return <>{useMemo(() => block(token, isSettled), [token.raw, isSettled])}</>;
}

type MarkdownProps = Readonly<{ text: ReadonlySignal<string>; isGrowing: boolean }>;

/** A text in Markdown that may still grow. Markup in it stays text. */
export function Markdown({ text, isGrowing }: MarkdownProps) {
  const growing = useMemo(() => new GrowingText(), []);
  return (
    <div class="prose">
      {growing.read(text.value).map(({ token, isSettled }, index) => (
        <Drawn key={index} token={token} isSettled={isSettled || !isGrowing} />
      ))}
    </div>
  );
}
