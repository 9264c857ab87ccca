import { useEffect, useRef, useState } from "preact/hooks";
import { call, messageOf, pathOf } from "../link/api.ts";
import type { Memory } from "../link/wire.ts";
import { say } from "../parts/announce.tsx";
import { linkTo } from "../state/address.ts";
import { titleOf } from "../state/service.ts";
import { dayAndTime } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { Button } from "../parts/button.tsx";

type Choice = readonly [name: string, press: () => unknown, look?: "primary" | "quiet"];

interface ItemProps {
  readonly memory: Memory;
  readonly again: () => void;
}

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
export function MemoryItem({ memory, again }: ItemProps) {
  const [text, setText] = useState<string | undefined>(undefined);
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), [text === undefined]);
  const path = pathOf(["api", "memories", memory.id]);
  const act = async (work: Promise<unknown>, done: string) => {
    try {
      await work;
      setText(undefined);
      say(done);
      again();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const save = () => act(call(path, { method: "PATCH", body: { content: text } }), "Corrected");
  const forget = () => act(call(path, { method: "DELETE" }), "Forgotten");
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
