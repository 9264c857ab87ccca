import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, Form, Icon } from "../parts/index.ts";
import { isAdded, sendKey, thread } from "../state/index.ts";
import { Added, AddFiles } from "./uploads.tsx";

let draftTimer: ReturnType<typeof setTimeout> | undefined;

/** What is written stays: in this browser at once, with a conversation that is there after a second. */
function keep(text: string): void {
  const current = thread.peek();
  current.draft.value = text;
  clearTimeout(draftTimer);
  draftTimer = setTimeout(() => void current.keepDraft(text), current.isNew ? 0 : 1000);
}

function submit(): void {
  const current = thread.peek();
  const text = current.draft.peek().trim();
  clearTimeout(draftTimer);
  current.draft.value = "";
  void current.send(text);
}

function Queued() {
  const { queued, draft } = thread.value;
  if (queued.value === "") return null;
  const takeBack = () => {
    draft.value = queued.peek();
    queued.value = "";
    focusComposer();
  };
  return (
    <p class="queued">
      <span>Sent when this run ends: {queued.value}</span>
      <Button isLocal look="quiet" press={takeBack} label="Take back" />
    </p>
  );
}

export const focusComposer = (): void => document.querySelector<HTMLElement>("#message")?.focus();

function whyNot(): string {
  const { draft, uploads } = thread.value;
  const coming = uploads.value.find((one) => !isAdded(one));
  if (coming) return `${coming.path} is not added yet`;
  return draft.value.trim() === "" ? "Write a message first" : "";
}

/** Where a person writes; Enter sends, or Shift+Enter. */
export function Composer() {
  const current = thread.value;
  const [field, button] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLButtonElement>(null)];
  useLayoutEffect(() => field.current?.focus(), [current]);
  const press = (event: KeyboardEvent) => {
    const sends = event.shiftKey === (sendKey.value === "shift_enter");
    if (event.key !== "Enter" || !sends || event.isComposing) return;
    event.preventDefault();
    button.current?.click();
  };
  return (
    <Form class="composer" aria-label="Message" submit={submit}>
      <Queued />
      <Added />
      <div class="composer-box">
        <textarea
          id="message"
          ref={field}
          rows={1}
          aria-label="Message"
          placeholder="Message"
          value={current.draft.value}
          onInput={(event) => keep(event.currentTarget.value)}
          onKeyDown={press}
        />
        <AddFiles />
        <Button ref={button} look="primary send" aria-label="Send" title="Send" why={whyNot()}>
          <Icon name="send" />
        </Button>
      </div>
    </Form>
  );
}
