import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, say } from "../parts/index.ts";

type CodeProps = Readonly<{ code: string; language: string; isSettled: boolean }>;

const largest = 20_000;

/** Copies where the browser lets a page do so; elsewhere the text is selected. */
async function copy(code: string, block: Element | null): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(code);
    return say("Copied");
  }
  if (block !== null) getSelection()?.selectAllChildren(block);
  say("Selected; copy with Ctrl+C");
}

/** A block of code, its words marked once it is whole and in view. */
export function Code({ code, language, isSettled }: CodeProps) {
  const block = useRef<HTMLElement>(null);
  const [marked, setMarked] = useState<ComponentChildren>(undefined);
  useEffect(() => {
    if (!isSettled || code.length > largest || block.current === null) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.at(-1)?.isIntersecting) return;
      watcher.disconnect();
      void import("./highlight.ts").then(({ highlight }) => setMarked(highlight(code, language)));
    });
    watcher.observe(block.current);
    return () => watcher.disconnect();
  }, [code, language, isSettled]);
  return (
    <div class="code">
      <div class="code-head">
        <span>{language}</span>
        <Button look="quiet" press={() => copy(code, block.current)} label="Copy" />
      </div>
      <pre tabIndex={0} role="region" aria-label={`Code${language === "" ? "" : ` in ${language}`}`}>
        <code ref={block}>{marked ?? code}</code>
      </pre>
    </div>
  );
}

/** A formula; its text until the code that draws it is here, and where it cannot be drawn. */
export function Maths({ text, isBlock }: { readonly text: string; readonly isBlock: boolean }) {
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
