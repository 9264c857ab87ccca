import { signal } from "@preact/signals";

const polite = signal("");
const assertive = signal("");
const queue: { readonly text: string; readonly isUrgent: boolean }[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function next(): void {
  const first = queue.shift();
  timer = first === undefined ? undefined : setTimeout(next, 400);
  if (first !== undefined) (first.isUrgent ? assertive : polite).value = first.text;
}

/** Tells a screen reader something, after what it has been told before. */
export function say(text: string, isUrgent = false): void {
  if (isUrgent) queue.unshift({ text, isUrgent });
  else queue.push({ text, isUrgent });
  timer ??= setTimeout(next, 50);
}

/** The two live regions of the page, and no others. */
export function Announcer() {
  return (
    <>
      <div class="hidden" role="status" aria-live="polite">
        {polite.value}
      </div>
      <div class="hidden" role="alert" aria-live="assertive">
        {assertive.value}
      </div>
    </>
  );
}
