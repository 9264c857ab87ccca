import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call, callIfThere, type Memory, pathOf } from "../link/index.ts";
import { Button, focusOn, Fold, Form, From, Items, Line } from "../parts/index.ts";
import { type Fields, type FormProps, Search, Select, StatusLine } from "../parts/index.ts";
import { conversations, linkTo, nameIn, titleOf, topics } from "../state/index.ts";
import { count, counted, dayAndTime, joined, visible } from "../text/format.ts";

const originNames: Readonly<Record<string, string>> = {
  user: "you",
  model: "the model",
  tool: "a tool",
  import: "an import",
};

function Source({ memory: { scopeKind, scopeId, source } }: { readonly memory: Memory }) {
  const id = source?.conversationId ?? scopeId;
  const title = titleOf(id, "");
  if (title === "") return scopeKind === "topic" && "in a topic";
  const message = source?.messageId ? ["m", source.messageId] : [];
  const said = source && `· said on ${dayAndTime(source.at)}`;
  return [said, " in ", <a href={linkTo("c", id, ...message)}>{title}</a>];
}

type MemoryProps = Readonly<{ memory: Memory; name?: ComponentChildren; isNamed?: boolean }>;

function MemoryItem({ memory, name = visible(memory.content), isNamed = false }: MemoryProps) {
  const [isOpen, setOpen] = useState(false);
  const change = async (method: string, body?: object) => {
    await call(pathOf(["api", "memories", memory.id]), method, body);
    setOpen(false);
  };
  const form = (
    <Form class="edit" submit={(body) => change("PATCH", body)} said="Corrected">
      <textarea name="content" aria-label="What is remembered" defaultValue={memory.content} ref={focusOn} />
      <div class="answers">
        <Button look="primary" label="Save" />
        <Button isLocal look="quiet" press={() => setOpen(false)} label="Keep it" />
      </div>
    </Form>
  );
  const facts = joined(memory.kind, originNames[memory.origin], dayAndTime(memory.createdAt));
  const correct = { label: "Correct", act: async () => setOpen(true) };
  const forget = { label: "Forget", isFinal: true, act: () => change("DELETE"), said: "Forgotten" };
  return (
    <Line
      isNamed={isNamed}
      name={isOpen ? form : name}
      note={[facts, " ", <Source memory={memory} />]}
      actions={isOpen ? [] : [correct, forget]}
    />
  );
}

const readOne = (id: string) => callIfThere<Memory>(pathOf(["api", "memories", id]));

function drawUsed(memory: Memory | undefined) {
  if (memory === undefined) return <Line name="" note="Forgotten since then" />;
  const link = <a href={linkTo("memory", memory.id)}>{visible(memory.content)}</a>;
  return <MemoryItem memory={memory} name={link} />;
}

/** The memories that an answer was given: they are read when somebody wants to see them. */
export function MemoriesUsed({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <Fold look="tool" name={`${counted(ids.length, "memory", "memories")} used`}>
      <From path={ids.join()} read={() => Promise.all(ids.map(readOne))}>
        {(memories) => <Items of={memories}>{drawUsed}</Items>}
      </From>
    </Fold>
  );
}

const filters = { scope: "Place", origin: "From", kind: "Kind" } as const;

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Found = Readonly<{ memories: readonly Memory[]; count: number; counts: Counts }>;

const noPlace = "It belongs to a conversation or a topic: begin a conversation, then choose it here.";

/** Something that a person wants to be remembered: in a topic, or in one conversation. */
function RememberForm() {
  const places = [
    ...topics.value.map(({ id, name }) => [`topicId ${id}`, `Topic: ${name}`] as const),
    ...conversations.value.map(({ id, title }) => [`conversationId ${id}`, title] as const),
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

/** What is remembered, and the way to more. One that the address names is there unless others are sought. */
export function MemoryView({ id = "" }: { readonly id?: string | undefined }) {
  const [query, setQuery] = useState("");
  const [limit, setLimit] = useState(100);
  const [chosen, setChosen] = useState<Fields>({});
  const topicOf = (id: string) => nameIn(topics.value, id);
  const { scope = "", ...others } = chosen;
  const place = { [topicOf(scope) === undefined ? "conversationId" : "topicId"]: scope };
  const path = pathOf(["api", "memories"], { q: query, ...place, ...others, counts: true, limit });
  const isWhole = [query, ...Object.values(chosen)].every((one) => one === "");
  const read = async (): Promise<Found> => {
    const found = await call<Found>(path);
    const isThere = id === "" || !isWhole || found.memories.some((one) => one.id === id);
    const named = isThere ? undefined : await readOne(id);
    return named === undefined ? found : { ...found, memories: [named, ...found.memories] };
  };
  const nothing = query === "" ? "Nothing is remembered yet." : `Nothing found for “${query}”.`;
  const nameOf = (value: string) => topicOf(value) ?? originNames[value] ?? titleOf(value, value);
  return [
    <Search name="Search memory" find={setQuery} />,
    <From path={path} read={read}>
      {({ memories, count: number, counts }) => [
        <RememberForm />,
        <div class="answers">
          {Object.entries(filters).map(([filter, name]) => (
            <Select
              key={filter}
              aria-label={name}
              value={chosen[filter] ?? ""}
              choose={(value) => setChosen({ ...chosen, [filter]: value })}
              options={[
                ["", `${name}: all`],
                ...Object.entries(counts[filter] ?? {})
                  .filter(([value, times]) => times > 0 || value === chosen[filter])
                  .map(([value, times]) => [value, `${nameOf(value)} ${count(times)}`] as const),
              ]}
            />
          ))}
        </div>,
        <StatusLine text={number > 0 ? `${count(number)} remembered` : nothing} />,
        <Items of={memories} count={number} more={() => setLimit(limit + 100)}>
          {(memory) => <MemoryItem key={memory.id} memory={memory} isNamed={memory.id === id} />}
        </Items>,
      ]}
    </From>,
  ];
}
