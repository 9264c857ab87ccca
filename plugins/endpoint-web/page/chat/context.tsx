import { useState } from "preact/hooks";
import { call, type Context, pathOf } from "../link/index.ts";
import { Button, Dialog, Fold, Reading, useRead } from "../parts/index.ts";
import { nameOf, thread } from "../state/index.ts";
import { count, joined, visible } from "../text/format.ts";

const names: Readonly<Record<Context["parts"][number]["kind"], string>> = {
  system: "System prompt",
  personality: "Personality",
  tools: "Tools",
  block: "Facts behind the newest message",
  memories: "Memories",
  summary: "Summaries of what was left out",
  history: "Messages",
  reserve: "Left to the answer",
};

/** What the model saw for the newest answer, part by part. */
function ContextPanel({ onClose }: { readonly onClose: () => void }) {
  const path = pathOf(["v1", "conversations", thread.value.id, "context"], { text: true });
  const read = useRead(() => call<Context>(path), path);
  return (
    <Dialog name="Context" onClose={onClose}>
      <h2>Context</h2>
      <Reading read={read}>
        {({ model, usable, estimatedTokens, parts }) => (
          <>
            <p class="faint">
              {joined(nameOf(model), `about ${count(estimatedTokens)} of ${count(usable)} tokens`)}
            </p>
            {parts.map(({ kind, tokens, text = "Its text is not kept." }) => (
              <Fold key={kind} name={`${names[kind]} · ${count(tokens)}`}>
                <pre tabIndex={0}>{visible(text)}</pre>
              </Fold>
            ))}
          </>
        )}
      </Reading>
      <Button press={onClose} label="Close" />
    </Dialog>
  );
}

/** The way to the context, once a model has seen one. */
export function ContextButton() {
  const [isOpen, setOpen] = useState(false);
  if (thread.value.turns.value.length === 0) return null;
  return (
    <>
      <Button look="quiet" press={() => setOpen(true)} label="Context" />
      {isOpen && <ContextPanel onClose={() => setOpen(false)} />}
    </>
  );
}
