import { useState } from "preact/hooks";
import { call, type Memory, pathOf } from "../link/index.ts";
import { Button, focusOn, Form, useAct } from "../parts/index.ts";
import { linkTo, titleOf } from "../state/index.ts";
import { dayAndTime, joined, visible } from "../text/index.ts";

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
export function MemoryItem({ memory, again }: { readonly memory: Memory; readonly again: () => void }) {
  const [mode, setMode] = useState<"read" | "correct" | "forget">("read");
  const { failure, act } = useAct();
  const change = (request: Parameters<typeof call>[1], said: string) =>
    act(async () => {
      await call(pathOf(["api", "memories", memory.id]), request);
      setMode("read");
      again();
    }, said);
  const correct = (body: Readonly<Record<string, string>>) => change({ method: "PATCH", body }, "Corrected");
  const isOpen = mode === "correct";
  return (
    <article>
      <Form class="memory" submit={correct}>
        {isOpen && (
          <textarea
            name="content"
            aria-label="What is remembered"
            defaultValue={memory.content}
            ref={focusOn}
          />
        )}
        {!isOpen && <p class="memory-text">{visible(memory.content)}</p>}
        <p class="faint">
          {joined(memory.kind, originNames[memory.origin], dayAndTime(memory.createdAt))}{" "}
          <Source memory={memory} />
        </p>
        <div class="answers">
          {isOpen && <Button look="primary" label="Save" />}
          {mode === "forget" && (
            <Button press={() => change({ method: "DELETE" }, "Forgotten")} label="Forget this" />
          )}
          {mode !== "read" && <Button look="quiet" press={() => setMode("read")} label="Keep it" />}
          {mode === "read" && <Button look="quiet" press={() => setMode("correct")} label="Correct" />}
          {mode === "read" && <Button look="quiet" press={() => setMode("forget")} label="Forget" />}
        </div>
        {failure !== "" && <p class="failure">{failure}</p>}
      </Form>
    </article>
  );
}
