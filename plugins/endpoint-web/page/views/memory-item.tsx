import { useEffect, useRef, useState } from "preact/hooks";
import { call, messageOf, pathOf } from "../link/api.ts";
import type { Memory } from "../link/wire.ts";
import { say } from "../parts/announce.tsx";
import { linkTo } from "../state/address.ts";
import { conversations } from "../state/service.ts";
import { dayAndTime } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { Button } from "../parts/button.tsx";

interface ItemProps {
  readonly memory: Memory;
  readonly again: () => void;
}

function Place({ memory }: { readonly memory: Memory }) {
  if (memory.scopeKind !== "conversation") return <>in a topic</>;
  const title = conversations.value?.find(({ id }) => id === memory.scopeId)?.title;
  if (title === undefined) return null;
  return (
    <>
      from <a href={linkTo("c", memory.scopeId)}>{title}</a>
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
        {memory.kind} · {dayAndTime(memory.createdAt)} <Place memory={memory} />
      </p>
      <div class="answers">
        {text !== undefined && (
          <>
            <Button look="primary" press={save}>
              Save
            </Button>
            <Button look="quiet" press={() => setText(undefined)}>
              Cancel
            </Button>
          </>
        )}
        {text === undefined && (
          <Button look="quiet" press={() => setText(memory.content)}>
            Correct
          </Button>
        )}
        {text === undefined && !isLeaving && (
          <Button look="quiet" press={() => setLeaving(true)}>
            Forget
          </Button>
        )}
        {isLeaving && (
          <>
            <Button press={forget}>Forget this</Button>
            <Button look="quiet" press={() => setLeaving(false)}>
              Keep it
            </Button>
          </>
        )}
      </div>
      {failure !== "" && <p class="failure">{failure}</p>}
    </article>
  );
}
