import { useState } from "preact/hooks";
import { callIfThere, type FoundMessages } from "../link/index.ts";
import { Dialog, Items, Line, openPanel, Search, useRead } from "../parts/index.ts";
import { closeDialog, conversations, linkTo } from "../state/index.ts";
import { views } from "./index.tsx";
import { HitLine, searchPath } from "./search.tsx";

const entry = (kind: string, name: string, ...to: readonly string[]) => ({ kind, name, href: linkTo(...to) });
type Entry = Readonly<ReturnType<typeof entry>>;

const commands = [
  entry("Command", "New conversation"),
  ...Object.entries(views).map(([view, { name }]) => entry("View", name, view)),
];

/** Where the words may lead: what has them in its name, then all messages that say them. */
function matching(words: string): readonly Entry[] {
  const found = conversations.value.map(({ id, title }) => entry("Conversation", title, "c", id));
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name }: Entry) => wanted.every((word) => name.toLowerCase().includes(word));
  const search = entry("Search", `Messages with “${words}”`, "search", words);
  return [...[...commands, ...found].filter(fits).slice(0, 12), ...(words === "" ? [] : [search])];
}

function go({ href }: Entry): void {
  closeDialog();
  location.hash = href;
}

export function Palette() {
  const [words, setWords] = useState("");
  const path = searchPath(words.replace(/[\p{L}\p{N}]$/u, "$&*"), 5);
  const { value } = useRead(async () => (words === "" ? undefined : callIfThere<FoundMessages>(path)), path);
  return (
    <Dialog name="Go to">
      <Search name="Go to" find={(all) => matching(all).slice(0, 1).forEach(go)} type={setWords} />
      <Items of={matching(words)}>
        {(entry) => (
          <Line
            key={entry.href}
            name={<a href={entry.href} onClick={() => go(entry)} children={entry.name} />}
            children={<span class="faint">{entry.kind}</span>}
          />
        )}
      </Items>
      <Items of={value?.hits ?? []}>{(hit) => <HitLine key={hit.messageId} {...hit} />}</Items>
    </Dialog>
  );
}

const keys = [
  ["Enter, Shift+Enter", "Send, new line; settings can swap them"],
  ["Ctrl+K", "Go to a conversation, a message or a view"],
  ["Ctrl+.", "Stop the run"],
  ["Alt+N", "New conversation"],
  ["Alt+A", "Next thing that waits for you"],
  ["Alt+↑, Alt+↓", "Previous, next message"],
  ["↑, ↓", "In the list and in what is found: previous, next"],
  ["F2, Delete", "In the list: change or delete a conversation"],
  ["A, R, G, D", "On a decision: approve, refuse, how long, changes"],
  ["C, E, B", "On a message: copy, edit, next branch"],
  ["F6, Shift+F6", "Next, previous region"],
  ["Esc", "Close; back to the message"],
] as const;

const drawKey = ([key, does]: (typeof keys)[number]) => <Line name={does} children={<kbd>{key}</kbd>} />;

export const openKeys = (): void => openPanel("Keys", <Items of={keys}>{drawKey}</Items>);
