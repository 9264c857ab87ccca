import { useState } from "preact/hooks";
import { call, type Memory, pathOf } from "../link/index.ts";
import { Button, Filters, Fold, Form, Items, Reading, Search, Select, useRead } from "../parts/index.ts";
import type { FormProps } from "../parts/index.ts";
import { conversations, nameIn, titleOf, topics } from "../state/index.ts";
import { count } from "../text/format.ts";
import { MemoryItem, originNames } from "./memory-item.tsx";

const parts = ["scope", "origin", "kind"] as const;
type Part = (typeof parts)[number];

type Counts = Readonly<Record<Part, Readonly<Record<string, number>>>>;
type Found = Readonly<{ memories: readonly Memory[]; count: number; counts: Counts }>;

const names: Readonly<Record<Part, string>> = { scope: "Place", origin: "From", kind: "Kind" };

const noPlace = "It belongs to a conversation or a topic: begin a conversation, then choose it here.";

/** Something that a person wants to be remembered: in a topic, or in one conversation. */
function RememberForm() {
  const places = [
    ...topics.value.map(({ id, name }) => [`topicId ${id}`, `Topic: ${name}`] as const),
    ...(conversations.value ?? []).map(({ id, title }) => [`conversationId ${id}`, title] as const),
  ];
  const remember: FormProps["submit"] = async ({ content, place = "" }, form) => {
    const [scope = "", id] = place.split(" ");
    await call("/api/memories", "POST", { content, [scope]: id });
    form.reset();
  };
  return (
    <Fold name="Remember something">
      <Form class="answers" submit={remember} said="Remembered">
        <textarea name="content" aria-label="What to remember" required />
        <Select name="place" aria-label="Remember it in" options={places} />
        {places.length === 0 && <p class="faint">{noPlace}</p>}
        <Button label="Remember" disabled={places.length === 0} />
      </Form>
    </Fold>
  );
}

/** What is remembered: found by meaning, corrected, forgotten; and what a person adds. */
export function MemoryView() {
  const [query, setQuery] = useState("");
  const [limit, setLimit] = useState(100);
  const [chosen, setChosen] = useState({ scope: "", origin: "", kind: "" });
  const topicOf = (id: string) => nameIn(topics.value, id);
  const { scope, ...others } = chosen;
  const place = { [topicOf(scope) === undefined ? "conversationId" : "topicId"]: scope };
  const path = pathOf(["api", "memories"], { q: query, ...place, ...others, counts: true, limit });
  const found = useRead(() => call<Found>(path), path);
  const nothing = query === "" ? "Nothing is remembered yet." : `Nothing found for “${query}”.`;
  const nameOf = (value: string) => topicOf(value) ?? originNames[value] ?? titleOf(value, value);
  const optionsOf = (part: Part, counts: Counts) =>
    Object.entries(counts[part])
      .filter(([value, times]) => times > 0 || value === chosen[part])
      .map(([value, times]) => [value, `${nameOf(value)} ${count(times)}`] as const);
  return (
    <>
      <Search name="Search memory" find={setQuery} />
      <Reading read={found}>
        {({ memories, count: number, counts }) => (
          <>
            <RememberForm />
            <Filters
              of={parts.map((part) => [part, names[part], optionsOf(part, counts)])}
              chosen={chosen}
              choose={setChosen}
            />
            <p class="faint" role="status" children={number > 0 ? `${count(number)} remembered` : nothing} />
            <Items of={memories} count={number} more={() => setLimit(limit + 100)}>
              {(memory) => <MemoryItem key={memory.id} memory={memory} />}
            </Items>
          </>
        )}
      </Reading>
    </>
  );
}
