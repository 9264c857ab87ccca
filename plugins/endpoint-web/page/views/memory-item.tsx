import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Memory, pathOf } from "../link/index.ts";
import { Button, useAct } from "../parts/index.ts";
import { linkTo, titleOf } from "../state/index.ts";
import { dayAndTime, visible } from "../text/index.ts";

type Choice = readonly [name: string, press: () => unknown, look?: "primary" | "quiet"];

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
export function MemoryItem({ memory, again }: { readonly memory: Memory; readonly again: () => void }) {
  const [text, setText] = useState<string | undefined>(undefined);
  const [isLeaving, setLeaving] = useState(false);
  const { failure, act } = useAct();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), [text === undefined]);
  const path = pathOf(["api", "memories", memory.id]);
  const done = () => (setText(undefined), again());
  const change = (request: Parameters<typeof call>[1], said: string) =>
    act(() => call(path, request).then(done), said);
  const save = () => change({ method: "PATCH", body: { content: text } }, "Corrected");
  const forget = () => change({ method: "DELETE" }, "Forgotten");
  const keep: Choice = ["Keep it", () => setLeaving(false), "quiet"];
  const leaving: Choice = ["Forget", () => setLeaving(true), "quiet"];
  const cancel: Choice = ["Cancel", () => setText(undefined), "quiet"];
  const correct: Choice = ["Correct", () => setText(memory.content), "quiet"];
  let choices = [correct, ...(isLeaving ? [["Forget this", forget] as const, keep] : [leaving])];
  if (text !== undefined) choices = [["Save", save, "primary"], cancel];
  return (
    <article class="memory">
      {text === undefined ? (
        <p class="memory-text">{visible(memory.content)}</p>
      ) : (
        <textarea
          aria-label="What is remembered"
          value={text}
          ref={field}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p class="faint">
        {memory.kind} · {dayAndTime(memory.createdAt)} <Source memory={memory} />
      </p>
      <div class="answers">
        {choices.map(([name, press, look]) => (
          <Button key={name} look={look} press={press}>
            {name}
          </Button>
        ))}
      </div>
      {failure !== "" && <p class="failure">{failure}</p>}
    </article>
  );
}
