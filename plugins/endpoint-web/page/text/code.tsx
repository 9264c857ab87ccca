import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, say } from "../parts/index.ts";

type CodeProps = Readonly<{ code: string; language: string; isSettled: boolean }>;

const largest = 20_000;

/** Copies where the browser lets a page do so; elsewhere the text is selected. */
export async function copy(code: string, block: Element | null): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(code);
    return say("Copied");
  }
  if (block !== null) getSelection()?.selectAllChildren(block);
  say("Selected; copy with Ctrl+C");
}

/** A block of code, its words marked once it is whole: what is far from view is not drawn. */
export function Code({ code, language, isSettled }: CodeProps) {
  const block = useRef<HTMLElement>(null);
  const [marked, setMarked] = useState<ComponentChildren>(undefined);
  useEffect(() => {
    if (!isSettled || code.length > largest) return;
    void import("./highlight.ts").then(({ highlight }) => setMarked(highlight(code, language)));
  }, [code, language, isSettled]);
  return (
    <div class="code">
      <div class="code-head">
        <span>{language}</span>
        <Button isLocal look="quiet" press={() => copy(code, block.current)} label="Copy" />
      </div>
      <pre tabIndex={0} role="region" aria-label={`Code${language === "" ? "" : ` in ${language}`}`}>
        <code ref={block}>{marked ?? code}</code>
      </pre>
    </div>
  );
}
