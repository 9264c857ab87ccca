import { useState } from "preact/hooks";
import { call, callIfThere, type Memory, pathOf } from "../link/index.ts";
import { AskingButton, Button, focusOn, Fold, Form, Reading, useAct, useRead } from "../parts/index.ts";
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

const field = { name: "content", "aria-label": "What is remembered" } as const;

/** One memory: read it, correct it, forget it. */
export function MemoryItem({ memory, again }: { readonly memory: Memory; readonly again: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { failure, act } = useAct();
  const change = (said: string, method: string, body?: object) =>
    act(async () => {
      await call(pathOf(["api", "memories", memory.id]), method, body);
      setOpen(false);
      again();
    }, said);
  const forget = () => change("Forgotten", "DELETE");
  return (
    <article>
      <Form class="memory" submit={(body) => change("Corrected", "PATCH", body)}>
        {isOpen && <textarea {...field} defaultValue={memory.content} ref={focusOn} />}
        {!isOpen && <p class="memory-text">{visible(memory.content)}</p>}
        <p class="faint">
          {joined(memory.kind, originNames[memory.origin], dayAndTime(memory.createdAt))}{" "}
          <Source memory={memory} />
        </p>
        <div class="answers">
          {isOpen && <Button look="primary" label="Save" />}
          {isOpen && <Button look="quiet" press={() => setOpen(false)} label="Keep it" />}
          {!isOpen && <Button look="quiet" press={() => setOpen(true)} label="Correct" />}
          {!isOpen && <AskingButton look="quiet" press={forget} label="Forget" />}
        </div>
        {failure !== "" && <p class="failure">{failure}</p>}
      </Form>
    </article>
  );
}

const readOne = (id: string) => callIfThere<Memory>(pathOf(["api", "memories", id]));

function Memories({ ids }: { readonly ids: readonly string[] }) {
  const read = useRead(() => Promise.all(ids.map(readOne)), ids.join());
  const draw = (memory: Memory | undefined) =>
    memory ? <MemoryItem memory={memory} again={read.again} /> : <p class="faint">Forgotten since then</p>;
  return <Reading read={read}>{(memories) => memories.map(draw)}</Reading>;
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
