import { useState } from "preact/hooks";
import { Dialog, Items, Line, Panel } from "../parts/index.ts";
import { closeDialog, conversations, linkTo } from "../state/index.ts";
import { views } from "./index.tsx";

type Entry = Readonly<Record<"name" | "kind" | "href", string>>;

const commands: readonly Entry[] = [
  { name: "New conversation", kind: "Command", href: linkTo() },
  ...Object.entries(views).map(([view, { name }]) => ({ name, kind: "View", href: linkTo(view) })),
];

function matching(words: string): readonly Entry[] {
  const found = (conversations.value ?? []).map(({ id, title }) => ({
    name: title,
    kind: "Conversation",
    href: linkTo("c", id),
  }));
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name }: Entry) => wanted.every((word) => name.toLowerCase().includes(word));
  const search = {
    name: `Messages with “${words.trim()}”`,
    kind: "Search",
    href: linkTo("search", words.trim()),
  };
  return [...[...commands, ...found].filter(fits).slice(0, 12), ...(wanted.length > 0 ? [search] : [])];
}

/** Finds conversations and commands by their names, and leads to messages by their words. */
export function Palette() {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const entries = matching(words);
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    closeDialog();
    location.hash = entry.href;
  };
  const press = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = moves[event.key];
    if (step !== undefined) setAt((at + step + entries.length) % Math.max(1, entries.length));
    // What was typed just now may not be drawn yet.
    if (event.key === "Enter") go(matching(event.currentTarget.value)[at]);
    if (step !== undefined || event.key === "Enter") event.preventDefault();
  };
  return (
    <Dialog name="Go to">
      <input
        type="search"
        list={undefined}
        placeholder="Go to a conversation, a message or a view"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[at] === undefined ? undefined : `entry-${at}`}
        value={words}
        onInput={(event) => (setWords(event.currentTarget.value), setAt(0))}
        onKeyDown={press}
      />
      <ul id="palette-list" role="listbox" aria-label="Found" class="palette-list">
        {entries.map((entry, index) => (
          <li
            id={`entry-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => go(entry)}
            onPointerMove={() => setAt(index)}
          >
            <span>{entry.name}</span>
            <span class="faint">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const keys = [
  ["Enter, Shift+Enter", "Send, new line"],
  ["Ctrl+K", "Go to a conversation, a message or a view"],
  ["Ctrl+.", "Stop the run"],
  ["Alt+N", "New conversation"],
  ["Alt+A", "Next thing that waits for you"],
  ["Alt+↑, Alt+↓", "Previous, next message"],
  ["A, R, G, D", "On a decision: approve, refuse, how long, changes"],
  ["C, E, B", "On a message: copy, edit, next branch"],
  ["F6, Shift+F6", "Next, previous region"],
  ["Esc", "Close; back to the message"],
] as const;

export const KeyList = () => (
  <Panel name="Keys">
    <Items of={keys}>{([key, does]) => <Line name={does} children={<kbd>{key}</kbd>} />}</Items>
  </Panel>
);
