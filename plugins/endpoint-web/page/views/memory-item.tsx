import { useState } from "preact/hooks";
import { call, callIfThere, type Memory, pathOf } from "../link/index.ts";
import { Button, focusOn, Fold, Form, Items, Line, Reading, useRead } from "../parts/index.ts";
import { linkTo, titleOf } from "../state/index.ts";
import { counted, dayAndTime, joined, visible } from "../text/format.ts";

/** Who said what is remembered. */
export const originNames: Readonly<Record<string, string>> = {
  user: "you",
  model: "the model",
  tool: "a tool",
  import: "an import",
};

/** Where it comes from: what was said, or the conversation that it belongs to. */
function Source({ memory: { scopeKind, scopeId, source } }: { readonly memory: Memory }) {
  const id = source?.conversationId ?? scopeId;
  const title = titleOf(id, "");
  if (title === "") return <>{scopeKind === "topic" && "in a topic"}</>;
  const message = source?.messageId ? ["m", source.messageId] : [];
  return (
    <>
      {source && `· said on ${dayAndTime(source.at)}`} in <a href={linkTo("c", id, ...message)}>{title}</a>
    </>
  );
}

/** One memory: read it, correct it, forget it. */
export function MemoryItem({ memory }: { readonly memory: Memory }) {
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
        <Button look="quiet" press={() => setOpen(false)} label="Keep it" />
      </div>
    </Form>
  );
  const facts = joined(memory.kind, originNames[memory.origin], dayAndTime(memory.createdAt));
  const correct = { label: "Correct", act: async () => setOpen(true) };
  const forget = { label: "Forget", isFinal: true, act: () => change("DELETE"), said: "Forgotten" };
  return (
    <Line
      name={isOpen ? form : visible(memory.content)}
      note={[facts, " ", <Source memory={memory} />]}
      actions={isOpen ? [] : [correct, forget]}
    />
  );
}

const readOne = (id: string) => callIfThere<Memory>(pathOf(["api", "memories", id]));

function Memories({ ids }: { readonly ids: readonly string[] }) {
  const read = useRead(() => Promise.all(ids.map(readOne)), ids.join());
  const draw = (memory: Memory | undefined) =>
    memory ? <MemoryItem memory={memory} /> : <Line name="" note="Forgotten since then" />;
  return <Reading read={read}>{(memories) => <Items of={memories}>{draw}</Items>}</Reading>;
}

/** The memories that an answer was given: they are read when somebody wants to see them. */
export function MemoriesUsed({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <Fold look="tool" name={`${counted(ids.length, "memory", "memories")} used`}>
      <Memories ids={ids} />
    </Fold>
  );
}
